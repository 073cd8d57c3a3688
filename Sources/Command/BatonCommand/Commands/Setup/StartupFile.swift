// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// A file that a shell reads when it starts. It belongs to its user: only `baton setup` changes it, and only if the
/// user agrees.
struct StartupFile {
  /// A longer one isn't written by a person.
  private static let length = 1 << 20

  let path: String

  /// - Returns: Nil if something that isn't a readable file of a person has the name. Empty if there is no file.
  var bytes: [UInt8]? {
    guard access(path, F_OK) == 0 else { return errno == ENOENT ? [] : nil }
    guard let file = RegularFile(path, length: Self.length + 1), file.bytes.count <= Self.length else { return nil }
    return file.bytes
  }

  /// Appends in one step, through symbolic links, so that the file keeps its owner and mode. After an error, it is as
  /// before.
  func append(_ bytes: [UInt8]) throws(SystemError) {
    try makeFolder()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemError(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw SystemError(path, EINVAL) }
    do throws(SystemError) {
      try Descriptor.write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0 else { throw SystemError(path) }
    } catch {
      _ = ftruncate(descriptor, status.st_size)
      throw SystemError(path, error.code)
    }
  }

  /// Replaces the content in one step. If the path is that of a symbolic link, its target is replaced.
  func replace(with bytes: [UInt8]) throws(SystemError) {
    guard let real = realpath(path, nil) else { throw SystemError(path) }
    defer { free(real) }
    let target = String(cString: real)
    var status = stat()
    guard stat(target, &status) == 0 else { throw SystemError(target) }
    let temporary = "\(target).baton-\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(temporary) }
    do throws(SystemError) {
      defer { close(descriptor) }
      try Descriptor.write(bytes[...], to: descriptor)
      // The owner first, because that takes away some bits of the mode.
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0,
        fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0
      else {
        throw SystemError(temporary)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let error = SystemError(target)
      unlink(temporary)
      throw error
    }
  }

  /// Makes the folder of fish's configuration, if the user has never started fish.
  private func makeFolder() throws(SystemError) {
    var folders: [String] = []
    var rest = path.utf8[...]
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")), slash > rest.startIndex {
      rest = rest[..<slash]
      guard let folder = String(rest), access(folder, F_OK) != 0 else { break }
      folders.append(folder)
    }
    for folder in folders.reversed() where mkdir(folder, 0o755) != 0 && errno != EEXIST {
      throw SystemError(folder)
    }
  }
}
