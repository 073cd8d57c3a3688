import Activity
import DesktopEntries
import EventLoop
import Glibc

/// What domains said, in `$XDG_CACHE_HOME/baton/associations`: one file for each, as it came, and empty where that was no
/// association.
/// The file's time is when.
@Loop
final class AssociationCache {
  struct Entry {
    /// Nil where the domain gave none.
    let association: Association?
    /// Seconds since 1970-01-01 00:00:00 UTC.
    let time: Double

    /// When the domain is asked again.
    var due: Double { time + (association == nil ? Limits.associationRetryAge : Limits.associationAge) }

    func isDue(at date: Double) -> Bool { due <= date || !hasCome(at: date) }

    /// Whether it counts still, were the domain not to answer.
    func counts(at date: Double) -> Bool { hasCome(at: date) && date < time + Limits.associationKeepAge }

    /// A time that has not come yet is none.
    private func hasCome(at date: Double) -> Bool { time <= date + 1 }
  }

  /// Nil where there is no place for it; then nothing is kept longer than the agent runs.
  private let directory: String?
  private var entries: [String: Entry] = [:]

  init(_ environment: ProcessEnvironment) {
    let base = environment.directory("XDG_CACHE_HOME") ?? environment.directory("HOME").map { "\($0)/.cache" }
    directory = base.map { "\($0)/baton/associations" }
  }

  /// Nil where the domain was not asked yet.
  func entry(_ domain: String) -> Entry? {
    if let entry = entries[domain] { return entry }
    guard let directory, let file = fopen("\(directory)/\(domain)", "re") else { return nil }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Limits.associationLength + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count <= Limits.associationLength else { return nil }
    let entry = Entry(association: Association(Array(bytes.prefix(count))), time: Double(status.st_mtim.tv_sec))
    entries[domain] = entry
    return entry
  }

  /// - Parameter domain: Of letters, digits, dots and `-`.
  func store(_ bytes: [UInt8], of domain: String) {
    entries[domain] = Entry(association: Association(bytes), time: Loop.clock.date)
    guard let directory, makeDirectory(directory) else { return }
    // Whoever reads it sees the old one or the whole new one.
    let path = "\(directory)/\(domain)"
    let temporary = "\(directory)/.\(domain).new"
    guard let file = fopen(temporary, "we") else { return }
    let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWhole, rename(temporary, path) == 0 else {
      unlink(temporary)
      return
    }
  }

  private func makeDirectory(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
    return makeDirectory(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
