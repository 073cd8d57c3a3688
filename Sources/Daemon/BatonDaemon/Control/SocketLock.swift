// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Teams

/// The file next to the control socket whose lock decides which daemon may replace the socket.
struct SocketLock {
  private let path: String
  private let descriptor: Int32

  /// - Returns: Nil if another daemon has the lock.
  /// - Throws: `ControlSocket.Occupied`, `SystemError`.
  init?(for socket: String) throws {
    path = "\(socket).lock"
    while true {
      let descriptor = try Self.open(path)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        Sockets.close(descriptor)
        if code == EWOULDBLOCK { return nil }
        throw SystemError("flock \(path)", code)
      }
      // If a daemon that stopped has removed the file since it was opened, its lock is worthless, and the next file's
      // counts.
      if let there = try FileStatus(at: path), there.isSame(as: try FileStatus(of: descriptor)) {
        self.descriptor = descriptor
        return
      }
      Sockets.close(descriptor)
    }
  }

  /// Removes the file if it is still ours, then releases the lock.
  func release() {
    if let there = try? FileStatus(at: path), let ours = try? FileStatus(of: descriptor), there.isSame(as: ours) {
      unlink(path)
    }
    Sockets.close(descriptor)
  }

  private static func open(_ path: String) throws -> Int32 {
    // Check the file first, because opening a device may have an effect.
    if let there = try FileStatus(at: path) { try check(there, path) }
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    do {
      try check(try FileStatus(of: descriptor), path)
    } catch {
      Sockets.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Our lock file is empty. Another program's file is not ours to lock or to remove.
  private static func check(_ status: FileStatus, _ path: String) throws(ControlSocket.Occupied) {
    guard status.kind == .file else { throw ControlSocket.Occupied(path: path, by: status.kind.rawValue) }
    guard status.length == 0 else { throw ControlSocket.Occupied(path: path, by: "a file that isn't empty") }
  }
}
