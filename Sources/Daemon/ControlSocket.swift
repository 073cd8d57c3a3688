import EventLoop
import Glibc

/// The control socket: systemd's, which outlives this process, or one of our own, whose file is made where no other daemon has it
/// and removed at the end.
@Loop
final class ControlSocket {
  let path: String
  private let listeners: [Int32]
  private var lock: Int32?
  private let registryLink: String?

  /// Another daemon serves the socket.
  struct InUse: Error {}

  /// - Parameter listeners: What systemd listens on for this daemon; none where it makes the socket itself.
  /// - Throws: `InUse`, `SystemError`.
  init(_ placement: Placement, listeners: [Int32]) throws {
    self.listeners = listeners
    path = listeners.first.flatMap { Sockets.path(of: $0) } ?? placement.socket
    // The socket unit makes the link as well.
    registryLink = listeners.isEmpty ? placement.registryLink : nil
    if listeners.isEmpty { try takeLock(placement) }
  }

  private func takeLock(_ placement: Placement) throws {
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try makeDirectory(directory, mode: placement.socketMode == 0o600 ? 0o700 : 0o755)
    // Whoever has the lock may replace the socket's file: a daemon that was killed leaves it behind.
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw SystemError("open \(path).lock") }
    // systemd, which has no lock, answers for a daemon that it starts.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, !isAnswered else {
      Sockets.close(lock)
      throw InUse()
    }
    self.lock = lock
  }

  private var isAnswered: Bool {
    do {
      Sockets.close(try Sockets.connect(path: path))
      return true
    } catch {
      return error.code == EAGAIN
    }
  }

  /// - Returns: Listening descriptors, owned by the caller; once.
  func listen(mode: UInt32) throws(SystemError) -> [Int32] {
    guard listeners.isEmpty else { return listeners }
    unlink(path)
    let descriptor = try Sockets.listen(path: path, mode: mode_t(mode))
    if let registryLink {
      unlink(registryLink)
      symlink(path, registryLink)
    }
    return [descriptor]
  }

  /// Whether systemd listens, also while no daemon does.
  var isSystemds: Bool { !listeners.isEmpty }

  func remove() {
    guard let lock else { return }
    if let registryLink { unlink(registryLink) }
    unlink(path)
    unlink("\(path).lock")
    Sockets.close(lock)
    self.lock = nil
  }
}

/// Makes a directory and those above it.
///
/// - Parameter mode: Of the last one, if it is made here, whatever the umask is.
func makeDirectory(_ path: String, mode: mode_t) throws(SystemError) {
  guard !path.isEmpty else { return }
  if mkdir(path, mode) != 0 {
    if errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw SystemError("mkdir \(path)")
    }
    try makeDirectory(String(path[..<slash]), mode: 0o755)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError("mkdir \(path)") }
  }
  guard chmod(path, mode) == 0 else { throw SystemError("chmod \(path)") }
}
