// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The directory where a daemon keeps everything, locked for that daemon alone (Documentation/reference/State.md).
package final class StateDirectory {
  /// Why the directory cannot be used.
  package enum Failure: Error {
    /// Another daemon holds it.
    case inUse
    /// A later version wrote it; nothing was changed.
    case laterVersion(layout: UInt64)
    case unusable(String)
  }

  package let path: String
  private var lock: Int32?

  /// Locks the directory until ``release()``, or until the process ends.
  ///
  /// - Parameters:
  ///   - path: The directory, which must exist.
  ///   - log: Receives sentences about what was repaired.
  /// - Throws: `Failure`.
  package init(_ path: String, log: (String) -> Void = { _ in }) throws(Failure) {
    self.path = path
    do {
      try Self.checkOwner(path)
      // Check before anything is changed, and then again, because another daemon may have had the directory until now.
      _ = try readLayout()
      try takeLock(log)
      let layout = try readLayout()
      for line in FilePermissions.mend(path) { log(line) }
      if layout == nil, try Files.isThere(StateLayout.path(in: path)) {
        let aside = try Files.setAside(StateLayout.path(in: path))
        log(
          "Couldn't read the layout of the state directory, so this version's is assumed. The old file is now \(aside)"
        )
      }
      if layout != StateLayout.current { try StateLayout.write(in: path) }
    } catch let failure as Failure {
      release()
      throw failure
    } catch {
      release()
      throw .unusable("\(error)")
    }
  }

  deinit { release() }

  /// Releases the directory, so that another daemon can use it.
  package func release() {
    if let lock { close(lock) }
    lock = nil
  }

  private static func checkOwner(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError("stat", path) }
    try Files.checkDirectory(status, path)
    guard status.st_uid == geteuid() else {
      let hint = "its owner could read the keys. Change its owner to batond's user with chown"
      throw Failure.unusable("it belongs to user \(status.st_uid), not to \(geteuid()): \(hint)")
    }
  }

  /// Reads the layout; nil if the file is damaged.
  private func readLayout() throws -> UInt64? {
    do {
      let layout = try StateLayout.read(in: path)
      guard layout ?? 0 <= StateLayout.current else { throw Failure.laterVersion(layout: layout ?? 0) }
      return layout
    } catch let error as StorageError where error.isDamage && !error.isForbidden {
      return nil
    }
  }

  private func takeLock(_ log: (String) -> Void) throws {
    let path = "\(path)/lock"
    var status = stat()
    if lstat(path, &status) == 0, FileKind(mode: status.st_mode) != .file {
      log("\(path) wasn't a file, so it was renamed to \(try Files.setAside(path))")
    }
    // Open the file for reading, because the file system may become read-only. NFS can lock only files that are open
    // for writing, too.
    var descriptor = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EBADF {
      close(descriptor)
      descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw StorageError("open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno == EWOULDBLOCK ? Failure.inUse as any Error : StorageError("lock", path)
      close(descriptor)
      throw error
    }
    lock = descriptor
  }
}
