// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// A file that only its user can access, that gets its name only when it is complete, and that never replaces another
/// file.
///
/// Until then, it disappears with the process. On file systems that do not support unnamed files, such as those of
/// memory sticks, there is a hidden file in the meantime.
final class NewFile {
  private static let mode: mode_t = 0o600

  private let path: String
  private let directory: String
  private let descriptor: Int32
  /// Nil if the file has no name yet.
  private var temporaryName: String?

  /// - Parameter isHidden: Whether to behave as if the file system did not support unnamed files.
  /// - Throws: `CommandError` if something already has the name, or no file can be created there.
  init(_ path: String, isHidden: Bool = false) throws(CommandError) {
    let name = path.split(atScalar: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    guard !name.isEmpty else { throw CommandError(.failure, localized("'\(path)' isn't the name of a file.")) }
    self.path = path
    directory = path == name ? "." : String(path.start(beforeBytesOf: name) ?? "")
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
    CommandError(.failure, localized("Can't write \(SystemError(path, code))."))
  }

  private static func exists(_ path: String) -> CommandError {
    CommandError(
      .failure,
      localized("\(path) already exists, and a backup never replaces a file. Choose a different name.")
    )
  }

  /// Writes the content to the disk.
  ///
  /// - Returns: What the file contains now, read back from the disk.
  func write(_ text: String) throws -> String {
    let bytes = Array(text.utf8)
    do {
      try Descriptor.write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError("fsync") }
      // Reading the page cache would prove nothing.
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      return String(decoding: try Descriptor.readAll(descriptor, limit: bytes.count + 1), as: UTF8.self)
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
