import Activity
import DesktopEntries
import EventLoop
import Glibc
import Systemd

/// The desktop entries of the user and of the machine, read again when they change.
///
/// They are looked for in `$XDG_DATA_HOME/applications`, then in `applications` of each of `$XDG_DATA_DIRS` (XDG Base
/// Directory Specification). Reading is some hundred small files, on the loop.
@Loop
package final class InstalledApplications: AgentPart {
  package private(set) var catalog = ApplicationCatalog()
  /// The catalogue is another one.
  package var onChange: (@Loop () -> Void)?

  private let directories: [String]
  private let locales: [String]
  private let log: Log
  private var watch: FolderWatch?
  private var timer: Timer?
  /// What was said of entries that cannot be used: each is said once.
  private var complaints: Set<String> = []
  private var folderCount = 0

  package init(_ environment: ProcessEnvironment, log: Log) {
    directories = Self.directories(environment)
    locales = MessageLocale.names(environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "C")
    self.log = log
    timer = Timer { [weak self] in self?.changed() }
  }

  package nonisolated static func directories(_ environment: ProcessEnvironment) -> [String] {
    let home = environment.directory("XDG_DATA_HOME") ?? environment.directory("HOME").map { "\($0)/.local/share" }
    let others = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    var known: Set<String> = []
    return ([home].compactMap(\.self) + others).filter { $0.hasPrefix("/") && known.insert($0).inserted }
      .map { ($0.hasSuffix("/") ? $0.dropLast() : $0[...]) + "/applications" }
  }

  package func start() { read() }

  package func stop() {
    onChange = nil
    timer?.set(nil)
    watch = nil
  }

  package func applicationsChanged() {}

  /// Reads what is known to have changed, without waiting for more.
  package func catchUp() {
    guard timer?.deadline != nil else { return }
    timer?.set(nil)
    changed()
  }

  private func changed() {
    let before = catalog
    read()
    if catalog != before { onChange?() }
  }

  /// Watches before it reads: what changes meanwhile is seen.
  private func read() {
    watch = FolderWatch()
    watch?.onChange = { [weak self] in self?.timer?.set(Loop.now + Limits.applicationsQuietTime) }
    var builder = CatalogBuilder(locales: locales)
    var complaints: Set<String> = []
    folderCount = 0
    for directory in directories {
      read(directory, below: "", depth: Limits.applicationFolderDepth) { path, relativePath in
        guard let id = CatalogBuilder.id(of: relativePath), builder.claim(id), let bytes = Self.contents(of: path)
        else {
          return
        }
        do throws(MalformedEntry) { try builder.add(id: id, path: path, bytes) } catch {
          complaints.insert("\(path): \(error.description)")
        }
      }
    }
    for complaint in complaints.subtracting(self.complaints).sorted() {
      log.warning("A desktop entry cannot be used: \(complaint)")
    }
    self.complaints = complaints
    catalog = builder.catalog
    log.debug("Read the desktop entries", ["apps": "\(catalog.applications.count)"])
  }

  private func read(_ folder: String, below prefix: String, depth: Int, _ file: (String, String) -> Void) {
    guard depth > 0, folderCount < Limits.applicationFolders else { return }
    folderCount += 1
    watch?.add(folder)
    for name in Self.names(in: folder) {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".desktop") {
        file(path, prefix + name)
      } else if FolderWatch.isFolder(path) {
        read(path, below: "\(prefix)\(name)/", depth: depth - 1, file)
      }
    }
  }

  /// Sorted, so that what is found does not depend on the file system.
  private static func names(in folder: String) -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<dirent>?>?
    let count = scandir(folder, &list, nil, nil)
    guard count >= 0, let list else { return [] }
    defer { free(list) }
    var names: [String] = []
    for index in 0..<Int(count) {
      guard let entry = list[index] else { continue }
      // The structure is as long as its name: it must not be copied.
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
      free(entry)
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Of a file that is none (a pipe, a device) nothing; of one that is too long, enough to tell.
  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count <= Limits.desktopEntryLength {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }
}
