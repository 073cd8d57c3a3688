// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// A directory that only its user can access, and that gets its name only when everything is in it.
final class NewDirectory {
  private let path: String
  private let temporaryPath: String
  /// The directory itself. Whoever may write where it lies can put another one in its place.
  private let descriptor: Int32
  private var isPublished = false
  private var written: [String] = []
  private var directories: [String] = []

  /// - Throws: `CommandError` if something already has the name, or nothing can be created there.
  init(_ path: String) throws(CommandError) {
    var trimmed = path
    while let start = trimmed.start(beforeBytesOf: "/") { trimmed = String(start) }
    guard !trimmed.isEmpty else { throw CommandError(.failure, localized("'\(path)' isn't the name of a directory.")) }
    self.path = trimmed
    let name = trimmed.split(atScalar: "/").last.map(String.init) ?? trimmed
    temporaryPath = (trimmed.start(beforeBytesOf: name) ?? "") + ".\(name).new-\(UInt64.random(in: .min ... .max))"
    var status = stat()
    guard lstat(trimmed, &status) != 0 else {
      throw CommandError(.failure, localized("\(trimmed) already exists. Choose a different name."))
    }
    guard mkdir(temporaryPath, 0o700) == 0 else { throw Self.failed(trimmed) }
    descriptor = open(temporaryPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failed(trimmed) }
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      close(descriptor)
      throw CommandError(
        .failure,
        localized("Another user has replaced \(temporaryPath). Choose a directory that only you can write to.")
      )
    }
  }

  deinit {
    defer { close(descriptor) }
    guard !isPublished else { return }
    for file in written { unlink(file) }
    for directory in directories { rmdir(directory) }
    rmdir(temporaryPath)
  }

  private static func failed(_ path: String, _ code: Int32 = errno) -> CommandError {
    CommandError(.failure, localized("Can't write \(SystemError(path, code))."))
  }

  /// A path that leads into the directory, wherever it is by now.
  private var opened: String { "/proc/self/fd/\(descriptor)" }

  /// - Parameter name: A path below the directory, with at most one directory in it.
  func write(_ text: String, to name: String) throws {
    let parts = name.split(atScalar: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw CommandError(
        .failure,
        localized(
          "The daemon returned an invalid file name. Restart batond, so that it has the same version as this command."
        )
      )
    }
    if parts.count == 2 {
      let directory = "\(opened)/\(parts[0])"
      if !directories.contains(directory) {
        guard mkdir(directory, 0o700) == 0 else { throw Self.failed(directory) }
        directories.append(directory)
      }
    }
    let file = "\(opened)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failed(file) }
    defer { close(descriptor) }
    written.append(file)
    do throws(SystemError) {
      try Descriptor.write(Array(text.utf8)[...], to: descriptor)
    } catch {
      throw Self.failed(file, error.code)
    }
    guard fsync(descriptor) == 0 else { throw Self.failed(file) }
  }

  /// Gives the directory its name.
  func publish() throws(CommandError) {
    var (there, own) = (stat(), stat())
    guard lstat(temporaryPath, &there) == 0, fstat(descriptor, &own) == 0,
      (there.st_dev, there.st_ino) == (own.st_dev, own.st_ino)
    else {
      throw CommandError(.failure, localized("Another program has replaced \(temporaryPath). Nothing was created."))
    }
    guard Descriptor.rename(temporaryPath, toNew: path) == 0 else { throw Self.failed(path) }
    isPublished = true
  }
}
