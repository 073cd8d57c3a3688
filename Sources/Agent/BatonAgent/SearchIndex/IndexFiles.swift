// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files of the index, of which only this user's are used, and only by one process.
struct IndexFiles {
  let directory: String
  private let lock: FileLock

  static let name = "search.db"
  /// The database, and what SQLite puts beside it.
  static let suffixes = ["", "-wal", "-shm", "-journal"]

  var path: String { "\(directory)/\(Self.name)" }
  var damagedPath: String { "\(path).damaged" }

  /// Creates the directory if it does not exist, and locks the index.
  init(directory: String) throws(IndexError) {
    self.directory = directory
    if mkdir(directory, 0o700) != 0, errno != EEXIST { throw Self.error("mkdir", directory) }
    try Self.makePrivate(directory, S_IFDIR, 0o700)
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Self.error("open", directory) }
    Glibc.close(descriptor)
    let lockPath = "\(directory)/search.lock"
    if let status = Self.status(lockPath), status.st_mode & S_IFMT != S_IFREG { try Self.clear(lockPath) }
    try Self.makePrivate(lockPath, S_IFREG, 0o600)
    let file = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw Self.error("open", lockPath) }
    lock = FileLock(owning: file)
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      lock.release()
      throw .inUse
    }
  }

  func unlock() { lock.release() }

  /// Whether the last user of the index closed it.
  var wasClosed: Bool { (Self.status("\(path)-wal")?.st_size ?? 0) == 0 }

  /// Whether there is a damaged index that was moved aside.
  var hasDamaged: Bool { Self.status(damagedPath) != nil }

  /// Creates the database's file if it does not exist, and makes sure that it and its companions are this user's.
  func prepare() throws(IndexError) {
    for suffix in Self.suffixes {
      guard let status = Self.status(path + suffix) else { continue }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
        throw .damaged("\(path)\(suffix) doesn't belong to this user, or isn't a file")
      }
      try Self.makePrivate(path + suffix, S_IFREG, 0o600)
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Self.error("open", path) }
    Glibc.close(descriptor)
  }

  /// Moves the database aside, in place of one that was moved before.
  func moveAside() throws(IndexError) {
    for suffix in Self.suffixes {
      let target = damagedPath + suffix
      try Self.clear(target)
      if rename(path + suffix, target) != 0, errno != ENOENT { throw Self.error("rename", path + suffix) }
    }
  }

  /// Removes an index that was moved aside before a time, in seconds since 1970.
  func removeDamaged(movedBefore time: Double) throws(IndexError) {
    if let status = Self.status(damagedPath), Double(status.st_ctim.tv_sec) <= time { try removeDamaged() }
  }

  /// Removes the index that was moved aside.
  func removeDamaged() throws(IndexError) { for suffix in Self.suffixes { try Self.clear(damagedPath + suffix) } }

  /// Overwrites and removes a file. If a directory was in its place that is not empty, that gets another name.
  private static func clear(_ path: String) throws(IndexError) {
    if let status = status(path), status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 { overwrite(path) }
    if unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0 { return }
    guard errno == ENOTEMPTY, let free = (1...99).lazy.map({ "\(path).\($0)" }).first(where: { status($0) == nil }),
      rename(path, free) == 0
    else { throw error("remove", path) }
  }

  /// Writes zeros. If that fails, the file can be removed nevertheless.
  private static func overwrite(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    var rest = Int(status(path)?.st_size ?? 0)
    let zeros = [UInt8](repeating: 0, count: 64 * 1024)
    while rest > 0 {
      let count = write(descriptor, zeros, min(rest, zeros.count))
      guard count > 0 else { return }
      rest -= count
    }
    // Otherwise, the zeros would never be on the disk.
    fdatasync(descriptor)
  }

  /// Makes sure that a file or directory that is there is this user's, and that only this user can use it.
  private static func makePrivate(_ path: String, _ kind: mode_t, _ mode: mode_t) throws(IndexError) {
    guard let status = status(path), status.st_mode & S_IFMT == kind else { return }
    guard status.st_uid == geteuid() else { throw .unusable("\(path) belongs to another user") }
    guard status.st_mode & 0o777 != mode else { return }
    if fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) != 0 { throw error("chmod", path) }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func error(_ call: String, _ path: String) -> IndexError {
    switch errno {
    case ENOSPC, EDQUOT: .full
    case EROFS: .readOnly
    case ELOOP, ENOTDIR: .unusable("\(path) is a symlink, or isn't a file or directory")
    default: .failed("\(call) \(path): \(String(cString: strerror(errno)))")
    }
  }
}

/// Tells whether a path still names the file that a connection has open.
package struct FileNumber: Equatable, Sendable {
  private let number: ino_t

  /// Nil if there is no file. To open something else may wait for ever.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    number = status.st_ino
  }
}

/// A locked file, until it is released.
private final class FileLock {
  private var descriptor: Int32?

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { release() }

  func release() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }
}
