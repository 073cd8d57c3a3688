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
  func append(_ bytes: [UInt8], mode: mode_t = 0o644) throws(SystemError) {
    let isNew = access(path, F_OK) != 0
    try makeFolder()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw SystemError(path, EINVAL) }
    do throws(SystemError) {
      try Descriptor.write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0 else { throw SystemError(path) }
    } catch {
      _ = ftruncate(descriptor, status.st_size)
      if isNew, let real = realpath(path, nil) {
        unlink(real)
        free(real)
      }
      throw SystemError(path, error.code)
    }
  }

  /// Replaces the content with a shorter one, in place, so that the file keeps its links, owner, mode and attributes.
  /// After an error, it is as before, or a copy of what it was is beside it.
  func replace(_ old: [UInt8], with new: [UInt8]) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(path) }
    defer { close(descriptor) }
    // Somebody has changed it in the meantime.
    guard lseek(descriptor, 0, SEEK_END) == off_t(old.count) else { throw SystemError(path, EBUSY) }
    let same = zip(old, new).prefix { $0 == $1 }.count
    func write(_ bytes: [UInt8]) throws(SystemError) {
      guard lseek(descriptor, off_t(same), SEEK_SET) >= 0 else { throw SystemError(path) }
      try Descriptor.write(bytes[same...], to: descriptor)
      guard ftruncate(descriptor, off_t(bytes.count)) == 0, fsync(descriptor) == 0 else { throw SystemError(path) }
    }
    // Cutting off the end needs no copy: it is done in one step.
    let copy = same < new.count ? StartupFile(path: "\(path).baton-\(getpid())") : nil
    try copy?.append(old, mode: 0o600)
    do throws(SystemError) {
      try write(new)
    } catch {
      if (try? write(old)) != nil, let copy { unlink(copy.path) }
      throw SystemError(path, error.code)
    }
    if let copy { unlink(copy.path) }
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
