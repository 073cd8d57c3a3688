import Glibc
import TLS

/// Small files that hold secrets, written so that after a crash each is there whole or not at all. All block.
package enum Files {
  private static let fileMode: mode_t = 0o600
  private static let directoryMode: mode_t = 0o700
  /// In the name of what is being written, and left behind by a crash.
  static let temporaryPrefix = ".new-"

  /// A name beside `path` that nobody has.
  static func temporaryPath(in directory: String) -> String {
    "\(directory)/\(temporaryPrefix)\(Hexadecimal.encode(SystemRandom.bytes(8)))"
  }

  static func makeDirectory(_ path: String) throws(StorageError) {
    guard mkdir(path, directoryMode) == 0 || errno == EEXIST else { throw StorageError("mkdir", path) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The names in a directory, in order, without `.` and `..`; none where there is no such directory.
  static func names(in directory: String) throws(StorageError) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return [] }
      throw StorageError("opendir", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// - Parameter limit: Bytes; a longer file is not read.
  package static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw StorageError("open", path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var length = 0
    while length <= limit {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + length }, limit + 1 - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StorageError("read", path) }
      guard count > 0 else { return Array(bytes.prefix(length)) }
      length += count
    }
    throw StorageError("read", path, code: EFBIG)
  }

  /// Replaces what `path` holds, or makes it.
  package static func write(_ bytes: some Collection<UInt8>, to path: String, in directory: String) throws(StorageError)
  {
    let temporary = temporaryPath(in: directory)
    do {
      try create(temporary, holding: bytes)
      try move(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
    try synchronize(directory)
  }

  /// Makes a file that must not be there, and puts its content on the disk; its name is there with its directory.
  static func create(_ path: String, holding bytes: some Collection<UInt8>) throws(StorageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
    guard descriptor >= 0 else { throw StorageError("open", path) }
    defer { close(descriptor) }
    var rest = Array(bytes)[...]
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

  /// Puts the names in a directory on the disk.
  static func synchronize(_ directory: String) throws(StorageError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError("open", directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StorageError("fsync", directory) }
  }

  /// Removes a file, or a directory with all that is in it, as far as that is possible. Follows no symbolic links.
  static func remove(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard errno == EISDIR else { return }
    for name in (try? names(in: path)) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// When a file was last written, in seconds since 1970; nil where it is not there.
  static func modified(_ path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec)
  }
}
