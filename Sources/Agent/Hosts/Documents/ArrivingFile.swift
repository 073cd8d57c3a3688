// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A file in a directory that has no name until it is complete, so that nothing is left of it if the process is killed.
/// No link is followed to the directory.
///
/// On file systems that do not support unnamed files, such as NFS, it has a hidden name in the meantime.
final class ArrivingFile {
  /// The directory's path.
  private let path: String
  private let directory: Int32
  private let descriptor: Int32
  private var hiddenName: String?

  /// The space that stays free on the disk, in bytes.
  private static let reserve = 64 << 20

  /// - Parameter isHidden: Whether to behave as if the file system did not support unnamed files.
  init(in path: String, isHidden: Bool) throws(DocumentStreamError) {
    self.path = path
    directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else {
      descriptor = -1
      throw .system(SystemError(path))
    }
    // As other programs make files: readable for others if the user's mask allows that. Our folder is not.
    let mode: mode_t = 0o666
    let unnamed = isHidden ? -1 : Descriptor.ofUnnamedFile(in: "/proc/self/fd/\(directory)", mode: mode)
    if unnamed < 0 {
      let name = ".baton-\(UInt64.random(in: .min ... .max)).part"
      descriptor = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 { hiddenName = name }
    } else {
      descriptor = unnamed
    }
    guard descriptor >= 0 else { throw .system(SystemError(path)) }
  }

  deinit {
    if let hiddenName { unlinkat(directory, hiddenName, 0) }
    for descriptor in [descriptor, directory] where descriptor >= 0 { close(descriptor) }
  }

  /// - Throws: If the disk has too little space for that many bytes.
  func checkSpace(_ size: Int) throws(DocumentStreamError) {
    var status = statvfs()
    guard fstatvfs(directory, &status) == 0 else { return }
    let (free, isHuge) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
    if !isHuge, UInt(size) + UInt(Self.reserve) > free { throw .system(SystemError(path, ENOSPC)) }
  }

  func write(_ bytes: ArraySlice<UInt8>) throws(DocumentStreamError) {
    do throws(SystemError) {
      try Descriptor.write(bytes, to: descriptor)
    } catch {
      throw .system(SystemError(path, error.code))
    }
  }

  /// Gives the file, which is complete, the first of the names that nothing has yet.
  ///
  /// - Returns: Its path.
  func publish(_ names: some Sequence<String>) throws(DocumentStreamError) -> String {
    ArrivalMark.set(on: descriptor)
    guard fsync(descriptor) == 0 else { throw .system(SystemError(path)) }
    for name in names {
      if link(name) == 0 { return "\(path)/\(name)" }
      guard errno == EEXIST else { throw .system(SystemError(path)) }
    }
    throw .system(SystemError(path, EEXIST))
  }

  private func link(_ name: String) -> Int32 {
    // Links never replace anything.
    guard let hiddenName else {
      return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", directory, name, AT_SYMLINK_FOLLOW)
    }
    let result = Descriptor.rename(hiddenName, toNew: name, in: directory)
    if result == 0 { self.hiddenName = nil }
    // File systems without RENAME_NOREPLACE have links.
    return result != 0 && errno == EINVAL ? linkat(directory, hiddenName, directory, name, 0) : result
  }
}
