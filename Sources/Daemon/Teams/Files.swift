// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc
import TLS

/// Small files that contain secrets. After a crash, each is there completely or not at all. All functions block.
package enum Files {
  static let mode: mode_t = 0o600
  static let directoryMode: mode_t = 0o700
  /// The prefix of the names of files that are being written. A crash can leave such files behind.
  static let temporaryPrefix = ".new-"

  /// Returns a path in `directory` that nothing has.
  static func temporaryPath(in directory: String) -> String {
    "\(directory)/\(temporaryPrefix)\(Hexadecimal.encode(SystemRandom.bytes(8)))"
  }

  static func makeDirectory(_ path: String) throws(StorageError) {
    guard mkdir(path, directoryMode) != 0 else { return }
    guard errno == EEXIST else { throw StorageError("mkdir", path) }
    // A link that leads nowhere, for example to a disk that is missing, would look like an empty directory.
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError("open", path) }
    try checkDirectory(status, path)
  }

  static func checkDirectory(_ status: stat, _ path: String) throws(StorageError) {
    let kind = FileKind(mode: status.st_mode)
    guard kind == .directory else {
      throw StorageError("open", path, because: "it's \(kind.rawValue), not a directory")
    }
  }

  /// Whether anything has this name, even a link that leads nowhere.
  ///
  /// - Throws: `StorageError` if this cannot be determined. In this case, the file must not be taken for missing.
  static func isThere(_ path: String) throws(StorageError) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw StorageError("stat", path) }
    return false
  }

  /// Returns the names in a directory, sorted, without `.` and `..`; none if there is no such directory.
  static func names(in directory: String) throws(StorageError) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return [] }
      throw StorageError("opendir", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw StorageError("readdir", directory) }
    return names.sorted()
  }

  /// Reads a regular file that belongs to this process's user or to root. It never waits, for example for the writer of
  /// a FIFO, and opens no device.
  ///
  /// - Parameter limit: In bytes. A longer file is not read.
  package static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw StorageError("open", path) }
    try check(status, path, limit)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw StorageError("open", path) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw StorageError("stat", path) }
    try check(status, path, limit)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var length = 0
    while length < bytes.count {
      let rest = bytes.count - length
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + length }, rest) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StorageError("read", path) }
      guard count > 0 else { return Array(bytes.prefix(length)) }
      length += count
    }
    throw StorageError("read", path, because: "it grew while it was being read")
  }

  private static func check(_ status: stat, _ path: String, _ limit: Int) throws(StorageError) {
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file else { throw StorageError("open", path, because: "it's \(kind.rawValue), not a file") }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw StorageError(foreign: path, because: "it belongs to user \(status.st_uid), not to \(geteuid())")
    }
    guard status.st_size <= limit else {
      throw StorageError("open", path, because: "it's \(status.st_size) bytes long, but at most \(limit) are expected")
    }
  }

  /// Replaces the content of `path`, or creates the file.
  package static func write(_ bytes: some Collection<UInt8>, to path: String, in directory: String) throws(StorageError)
  {
    try write(to: path, in: directory) { _ in Array(bytes) }
  }

  /// Replaces the content of `path`, or creates the file.
  ///
  /// - Parameter content: Returns the content, given the new file's descriptor.
  static func write(
    to path: String,
    in directory: String,
    content: (Int32) throws(StorageError) -> [UInt8]
  ) throws(StorageError) {
    let temporary = temporaryPath(in: directory)
    do {
      try create(temporary, content: content)
      try move(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
    try synchronize(directory)
  }

  /// Creates a file that must not exist, and writes its content to the disk. Its name gets there with its directory.
  static func create(_ path: String, holding bytes: some Collection<UInt8>) throws(StorageError) {
    try create(path) { _ in Array(bytes) }
  }

  private static func create(_ path: String, content: (Int32) throws(StorageError) -> [UInt8]) throws(StorageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw StorageError("open", path) }
    defer { close(descriptor) }
    var rest = try content(descriptor)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StorageError("write", path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw StorageError("fsync", path) }
  }

  static func move(_ from: String, to: String) throws(StorageError) {
    guard rename(from, to) == 0 else { throw StorageError("rename", from) }
  }

  /// Marks a file as written in 1970, under all of its names.
  static func setWrittenLongAgo(_ path: String) throws(StorageError) {
    let times = [timespec(), timespec()]
    guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0 else { throw StorageError("utimens", path) }
  }

  /// Writes the names in a directory to the disk.
  static func synchronize(_ directory: String) throws(StorageError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError("open", directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StorageError("fsync", directory) }
  }

  /// Removes a file, or a directory with everything in it, as far as possible. Follows no symbolic links.
  static func remove(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard errno == EISDIR else { return }
    for name in (try? names(in: path)) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }

  // MARK: Unreadable files

  /// The mark, before a number, in the names of files that could not be read and were set aside.
  package static let unreadableMark = ".unreadable-"
  /// The most files of one name that are kept in this way.
  private static let unreadableCopies = 100

  /// Whether a name belongs neither to a file that is being written nor to one that was set aside.
  static func isInUse(_ name: String) -> Bool { !name.starts(withBytesOf: temporaryPrefix) && !isSetAside(name) }

  /// Whether a name has the mark. `String.contains` would link Swift's regular expressions into the program, 1.1 MB.
  static func isSetAside(_ name: String) -> Bool {
    let bytes = name.utf8
    return bytes.indices.contains { bytes[$0...].starts(with: unreadableMark.utf8) }
  }

  /// Renames a file that cannot be read, so that nothing overwrites it. The new name says what happened.
  ///
  /// - Returns: The new path.
  @discardableResult
  package static func setAside(_ path: String) throws(StorageError) -> String {
    for number in 1...unreadableCopies {
      let name = "\(path)\(unreadableMark)\(number)"
      guard try !isThere(name) else { continue }
      try move(path, to: name)
      return name
    }
    throw StorageError("set aside", path, because: "there are \(unreadableCopies) copies of it; remove some")
  }

  /// Returns when a file was last written, since 1970; nil if it does not exist.
  static func modified(_ path: String) -> Duration? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
  }
}
