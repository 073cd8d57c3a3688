// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// What domains said, in `$XDG_CACHE_HOME/baton/associations`. Each domain has one file with what it sent, which is
/// empty if that was no association. The file's modification time says when it was received.
@Loop
final class AssociationCache {
  /// The age in seconds at which an association is requested again.
  nonisolated static let associationAge = 24 * 60 * 60.0
  /// The age in seconds up to which an association is valid while its domain does not answer. A laptop is often without
  /// a network.
  nonisolated static let associationKeepAge = 7 * 24 * 60 * 60.0
  /// The time in seconds after which a domain that answered without an association is asked again.
  nonisolated static let associationRetryAge = 60 * 60.0

  struct Entry {
    /// Nil if the domain has no association.
    let file: [UInt8]?
    /// Seconds since 1970-01-01 00:00:00 UTC.
    let time: Double

    /// When the domain is asked again, in seconds since 1970-01-01 00:00:00 UTC.
    var due: Double { time + (file == nil ? AssociationCache.associationRetryAge : AssociationCache.associationAge) }

    func isDue(at date: Double) -> Bool { due <= date || !hasCome(at: date) }

    /// Whether it is still valid if the domain does not answer.
    func counts(at date: Double) -> Bool { hasCome(at: date) && date < time + AssociationCache.associationKeepAge }

    /// Whether the time is not in the future. A time in the future does not count.
    private func hasCome(at date: Double) -> Bool { time <= date + 1 }
  }

  /// Nil if there is no place for it. Then nothing is kept longer than the agent runs.
  private let directory: String?
  private var entries: [String: Entry] = [:]

  init(_ environment: ProcessEnvironment) {
    let base = environment.directory("XDG_CACHE_HOME") ?? environment.directory("HOME").map { "\($0)/.cache" }
    directory = base.map { "\($0)/baton/associations" }
  }

  /// Nil if the domain has not been asked yet.
  func entry(_ domain: String) -> Entry? {
    if let entry = entries[domain] { return entry }
    guard let directory, let file = RegularFile("\(directory)/\(domain)", length: Limits.associationLength + 1),
      file.owner == geteuid(), file.bytes.count <= Limits.associationLength
    else { return nil }
    let entry = Entry(file: file.bytes.isEmpty ? nil : file.bytes, time: file.time)
    entries[domain] = entry
    return entry
  }

  /// - Parameters:
  ///   - file: Nil if the domain has no association.
  ///   - domain: Consists of letters, digits, dots and `-`.
  func store(_ file: [UInt8]?, of domain: String) {
    entries[domain] = Entry(file: file, time: Loop.clock.date)
    guard let directory, makeDirectory(directory) else { return }
    // A reader sees either the old file or the whole new one. Anything that another program left at the temporary path
    // is removed first, so it cannot block this.
    let temporary = "\(directory)/.new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = file ?? []
    let isWhole = write(descriptor, bytes, bytes.count) == bytes.count
    guard close(descriptor) == 0, isWhole, rename(temporary, "\(directory)/\(domain)") == 0 else {
      unlink(temporary)
      return
    }
  }

  /// Forgets other domains and entries that are no longer valid.
  func prune(keeping domains: Set<String>) {
    let date = Loop.clock.date
    entries = entries.filter { domains.contains($0.key) && $0.value.counts(at: date) }
    guard let directory else { return }
    for name in Folder.names(in: directory) {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard lstat(path, &status) == 0 else { continue }
      let age = date - Double(status.st_mtim.tv_sec)
      if !domains.contains(name) || age >= Self.associationKeepAge { unlink(path) }
    }
  }

  private func makeDirectory(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex else {
      return false
    }
    return makeDirectory(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
