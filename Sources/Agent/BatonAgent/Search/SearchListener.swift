// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import VarlinkClient

/// The socket of the search index: systemd's, or else our own.
@Loop
struct SearchListener {
  /// Another agent serves the index.
  struct InUse: Error, CustomStringConvertible {
    let path: String

    var description: String { "another agent is using \(path)" }
  }

  /// The listening descriptors. Whoever takes them owns them.
  let descriptors: [Int32]
  /// The lock that says whose the socket is. It stays open, because the lock belongs to it. Negative if systemd has the
  /// socket.
  private let lock: Int32
  private let path: String?

  /// - Parameter passed: The sockets on which systemd listens for this agent.
  /// - Throws: ``InUse``, or `SystemError` if there is no place for the socket.
  init(passed: [Int32], _ environment: ProcessEnvironment) throws {
    guard passed.isEmpty else {
      (descriptors, lock, path) = (passed, -1, nil)
      return
    }
    guard let path = SearchSocket.path(environment: { environment[$0] }) else {
      throw SystemError("XDG_RUNTIME_DIR isn't set", ENOENT)
    }
    guard !environment.isForeign else {
      throw SystemError("XDG_RUNTIME_DIR doesn't belong to this user", EPERM)
    }
    let directory = String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)])
    if !directory.isEmpty, mkdir(directory, 0o700) != 0, errno != EEXIST { throw SystemError("mkdir \(directory)") }
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard lock >= 0 else { throw SystemError("open \(path).lock") }
    do {
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK ? InUse(path: path) as any Error : SystemError("flock \(path).lock")
      }
      // systemd has no lock, but answers for an agent that it starts.
      if try Sockets.isAnswered(path: path) { throw InUse(path: path) }
      // An agent that was killed leaves its file behind.
      unlink(path)
      descriptors = [try Sockets.listen(path: path, mode: 0o600)]
    } catch {
      close(lock)
      throw error
    }
    (self.lock, self.path) = (lock, path)
  }

  /// Removes our own socket's file.
  func remove() {
    guard let path else { return }
    unlink(path)
    close(lock)
  }
}
