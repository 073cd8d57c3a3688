import EventLoop
import Glibc

/// A file for its user alone that has its name only when it is whole, and takes nobody's place. Until then it goes with the
/// process; only file systems that know no files without a name, as those of memory sticks, show a hidden one meanwhile.
final class NewFile {
  private static let mode: mode_t = 0o600

  private let path: String
  private let directory: String
  private let descriptor: Int32
  /// Nil where the file has none.
  private var temporaryName: String?

  /// - Parameter isHidden: The file system is taken for one that knows no files without a name.
  /// - Throws: `CommandError` where something has the name, or no file can be made there.
  init(_ path: String, isHidden: Bool = false) throws(CommandError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    guard !name.isEmpty else { throw CommandError(.failure, "\(path) is no name of a file.") }
    self.path = path
    directory = path == name ? "." : String(path.dropLast(name.count))
    var status = stat()
    guard lstat(path, &status) != 0 else { throw Self.exists(path) }
    var descriptor = isHidden ? -1 : Descriptor.ofUnnamedFile(in: directory, mode: Self.mode)
    if descriptor < 0, isHidden || [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) {
      let temporary = "\(directory)/.\(name).new-\(UInt64.random(in: .min ... .max))"
      descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, Self.mode)
      temporaryName = temporary
    }
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      temporaryName = nil
      throw Self.failed(path, errno)
    }
  }

  deinit {
    if let temporaryName { unlink(temporaryName) }
    if descriptor >= 0 { _ = close(descriptor) }
  }

  private static func failed(_ path: String, _ code: Int32 = errno) -> CommandError {
    CommandError(.failure, "Cannot write \(SystemError(path, code)).")
  }

  private static func exists(_ path: String) -> CommandError {
    CommandError(.failure, "\(path) is there already, and a backup is written over nothing; name another file.")
  }

  /// Puts the content on the disk.
  ///
  /// - Returns: What is there now, read from the disk again.
  func write(_ text: String) throws -> String {
    let bytes = Array(text.utf8)
    do {
      try Descriptors.write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError("fsync") }
      // What is in memory proves nothing.
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      return String(decoding: try Descriptors.readAll(descriptor, limit: bytes.count), as: UTF8.self)
    } catch let error as SystemError {
      throw Self.failed(path, error.code)
    }
  }

  /// Gives the file its name.
  func publish() throws(CommandError) {
    guard name() == 0 else { throw errno == EEXIST ? Self.exists(path) : Self.failed(path) }
    temporaryName = nil
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failed(path) }
    defer { _ = close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failed(path) }
  }

  private func name() -> Int32 {
    guard let temporaryName else {
      return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }
    if Descriptor.rename(temporaryName, toNew: path) == 0 { return 0 }
    guard errno == EINVAL || errno == ENOSYS, link(temporaryName, path) == 0 else { return -1 }
    return unlink(temporaryName)
  }
}
