// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Teams

/// The control socket. It is either systemd's, which outlives this process, or our own. Our own has a file, which is
/// created if no other daemon has the place, and removed at the end.
@Loop
final class ControlSocket {
  let path: String
  private let listeners: [Int32]
  private var lock: SocketLock?
  /// The socket's file, if this process has created it.
  private var file: FileStatus?
  private let registryLink: String?

  /// Another program serves the socket.
  struct InUse: Error {}

  /// Something that is not a socket has the place, and is left there.
  struct Occupied: Error, CustomStringConvertible {
    let path: String
    let kind: String

    init(path: String, by kind: String) {
      self.path = path
      self.kind = kind
    }

    var description: String { "\(path) is \(kind), which batond won't replace. Choose a different path with --socket" }
  }

  /// - Parameter listeners: The sockets on which systemd listens for this daemon. If there are none, the daemon creates
  ///   the socket itself.
  /// - Throws: `InUse`, `Occupied`, `SystemError`.
  init(_ placement: Placement, listeners: [Int32]) throws {
    self.listeners = listeners
    path = listeners.first.flatMap { Sockets.path(of: $0) } ?? placement.socket
    // The socket unit also creates the link.
    registryLink = listeners.isEmpty ? placement.registryLink : nil
    if listeners.isEmpty { try takePlace(placement) }
  }

  private func takePlace(_ placement: Placement) throws {
    let directory = String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)])
    try makeDirectory(directory, mode: placement.socketMode == 0o600 ? 0o700 : 0o755)
    try checkPlace()
    // The holder of the lock may replace the socket's file, because a daemon that was killed leaves its file behind.
    guard let lock = try SocketLock(for: path) else { throw InUse() }
    do {
      // systemd has no lock, but answers for a daemon that it starts.
      if try Sockets.isAnswered(path: path) { throw InUse() }
    } catch {
      lock.release()
      throw error
    }
    self.lock = lock
  }

  private func checkPlace() throws {
    if let there = try FileStatus(at: path), there.kind != .socket {
      throw Occupied(path: path, by: there.kind.rawValue)
    }
  }

  /// - Returns: The listening descriptors, which the caller owns. Call this once.
  /// - Throws: `Occupied`, `SystemError`.
  func listen(mode: UInt32) throws -> [Int32] {
    guard listeners.isEmpty else { return listeners }
    try checkPlace()
    unlink(path)
    let descriptor = try Sockets.listen(path: path, mode: mode_t(mode))
    file = try? FileStatus(at: path)
    if let registryLink, removeLink(registryLink, to: nil) { symlink(path, registryLink) }
    return [descriptor]
  }

  /// Whether systemd listens, even while no daemon is running.
  var isSystemds: Bool { !listeners.isEmpty }

  func remove() {
    guard let lock else { return }
    if let file {
      if let registryLink { _ = removeLink(registryLink, to: path) }
      if let there = try? FileStatus(at: path), there.isSame(as: file) { unlink(path) }
    }
    lock.release()
    self.lock = nil
  }

  /// Removes a symbolic link, and nothing else.
  ///
  /// - Parameter target: Where it must lead; nil for anywhere.
  /// - Returns: Whether its place is free.
  private func removeLink(_ link: String, to target: String?) -> Bool {
    do {
      guard let there = try FileStatus(at: link) else { return true }
      guard there.kind == .link, target == nil || target == Self.target(of: link) else { return false }
      return unlink(link) == 0
    } catch {
      return false
    }
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }
}

/// Creates a directory and those above it.
///
/// - Parameter mode: The mode of the last one if it is created here, whatever the umask is.
func makeDirectory(_ path: String, mode: mode_t) throws(SystemError) {
  guard !path.isEmpty else { return }
  if mkdir(path, mode) != 0 {
    if errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex else {
      throw SystemError("mkdir \(path)")
    }
    try makeDirectory(String(path[..<slash]), mode: 0o755)
    if mkdir(path, mode) != 0 {
      if errno == EEXIST { return }
      throw SystemError("mkdir \(path)")
    }
  }
  guard chmod(path, mode) == 0 else { throw SystemError("chmod \(path)") }
}
