// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A file or a directory below a directory, reached without following links.
struct FileBeneath {
  /// The file system and the number of the file, which are the same for all its names.
  struct Identity: Hashable {
    let device: UInt
    let number: UInt
  }

  let root: String
  /// Empty for the root itself.
  let path: String
  let isDirectory: Bool
  let size: Int
  let identity: Identity

  var absolutePath: String { path.isEmpty ? root : root == "/" ? "/\(path)" : "\(root)/\(path)" }

  /// Nil if there is no file or directory, or a link leads there.
  init?(_ root: String, _ path: String) {
    guard let status = Self.withDescriptor(root, path, Self.pathOnly, Self.status) ?? nil else { return nil }
    self.init(root, path, status)
  }

  /// Nil if it is neither a file nor a directory.
  init?(_ root: String, _ path: String, _ status: stat) {
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { return nil }
    self.root = root
    self.path = path
    isDirectory = kind == S_IFDIR
    size = Int(status.st_size)
    identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }

  /// O_PATH, which Glibc declares for _GNU_SOURCE only.
  private static let pathOnly: Int32 = 0o10000000

  private static func status(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Hashes its content. Nil if it has another size by now, cannot be read, or that takes too long.
  func hash(until deadline: ContinuousClock.Instant) -> String? {
    Self.withDescriptor(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY) { descriptor in
      guard let status = Self.status(descriptor), status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size else {
        return nil
      }
      return ContentHash.ofFile(descriptor, size: size, until: deadline)
    } ?? nil
  }

  private static func withDescriptor<T>(_ root: String, _ path: String, _ flags: Int32, _ body: (Int32) -> T) -> T? {
    let directory = open(root, pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    let descriptor = Descriptor.openBeneath(directory, path, flags)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }
}
