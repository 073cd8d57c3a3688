import EventLoop
import Glibc

/// The file of the control socket: made where no other daemon has it, and removed at the end.
@Loop
final class ControlSocket {
  let path: String
  private let lock: Int32
  private let registryLink: String?

  /// Another daemon serves the socket.
  struct InUse: Error {}

  /// - Throws: `InUse`, `SystemError`.
  init(_ placement: Placement) throws {
    path = placement.socket
    registryLink = placement.registryLink
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try makeDirectory(directory, mode: placement.socketMode == 0o600 ? 0o700 : 0o755)
    // Whoever has the lock may replace the socket's file: a daemon that was killed leaves it behind.
    lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw SystemError("open \(path).lock") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Sockets.close(lock)
      throw InUse()
    }
  }

  /// - Returns: A listening descriptor.
  func listen(mode: UInt32) throws(SystemError) -> Int32 {
    unlink(path)
    let descriptor = try Sockets.listen(path: path, mode: mode_t(mode))
    if let registryLink {
      unlink(registryLink)
      symlink(path, registryLink)
    }
    return descriptor
  }

  func remove() {
    if let registryLink { unlink(registryLink) }
    unlink(path)
    unlink("\(path).lock")
    Sockets.close(lock)
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
