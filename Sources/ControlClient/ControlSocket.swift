import Activity
import Glibc

/// Finds the daemon's socket and opens it.
enum ControlSocket {
  static let systemPath = "/run/baton/baton.sock"

  /// Where the daemon may listen, the first that answers wins.
  ///
  /// - Parameters:
  ///   - option: The path that the user named; then there is no other.
  ///   - environment: Gives the value of an environment variable.
  static func paths(option: String?, environment: (String) -> String?) -> [String] {
    if let path = option ?? environment("BATON_SOCKET"), !path.isEmpty { return [path] }
    guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return [systemPath] }
    return ["\(directory)/baton/baton.sock", systemPath]
  }

  /// Connects to the first path on which something listens, and checks who that is.
  ///
  /// - Returns: A blocking, close-on-exec descriptor; the caller's to close.
  static func open(_ paths: [String]) throws(ControlError) -> Int32 {
    for path in paths {
      guard let descriptor = try connect(path) else { continue }
      do { try checkServer(of: descriptor, path) } catch {
        _ = close(descriptor)
        throw error
      }
      return descriptor
    }
    throw .notRunning(paths: paths)
  }

  /// Nil where nothing listens.
  private static func connect(_ path: String) throws(ControlError) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The last byte stays NUL.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw .system("The socket's path is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system("socket: \(systemMessage(errno))") }
    // Bounds connect() while the listener's queue is full, and each send().
    var limit = timeval(tv_sec: Int(Limits.controlConnectTime.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result != 0 else { return descriptor }
    let code = errno
    _ = close(descriptor)
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR: return nil
    case EACCES, EPERM: throw .notPermitted(path: path)
    case EAGAIN: throw .timedOut
    default: throw .system("\(path): \(systemMessage(code))")
    }
  }

  /// A program that took the path before the daemon must not get what the user hands off.
  private static func checkServer(of descriptor: Int32, _ path: String) throws(ControlError) {
    var credentials = ucred()
    var length = socklen_t(MemoryLayout<ucred>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      throw .system("\(path): \(systemMessage(errno))")
    }
    guard credentials.uid != 0, credentials.uid != geteuid() else { return }
    // systemd gives the runtime directory to the user it made for the service (DynamicUser=).
    var status = stat()
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard stat(directory, &status) == 0, status.st_uid == credentials.uid else {
      throw .foreignServer(path: path, user: credentials.uid)
    }
  }
}

/// The system's words for an `errno`.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
