// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Finds the daemon's socket and opens it.
enum DaemonSocket {
  static let systemPath = "/run/baton/baton.sock"

  /// Opens the socket of this process's user. See ``open(_:isNamed:isBlocking:)``.
  ///
  /// - Parameter option: The path that the user gave.
  static func open(option: String?, isBlocking: Bool = true) throws(ControlError) -> Int32 {
    let environment = ProcessEnvironment.current
    return try open(
      paths(option: option) { environment[$0] },
      isNamed: isNamed(option, "BATON_SOCKET", environment),
      isBlocking: isBlocking
    )
  }

  /// Whether the user has named the socket, in an option or a variable. A variable does not count if the environment is
  /// recognisably that of another user, as after `su`.
  static func isNamed(_ option: String?, _ variable: String, _ environment: ProcessEnvironment) -> Bool {
    option != nil || environment[variable] != nil && !environment.isForeign
  }

  /// Returns the paths at which the daemon may listen. The first one that answers wins.
  ///
  /// - Parameters:
  ///   - option: The path that the user gave. If it is not nil, there is no other path.
  ///   - environment: Returns the value of an environment variable.
  static func paths(option: String?, environment: (String) -> String?) -> [String] {
    if let path = option ?? environment("BATON_SOCKET"), !path.isEmpty { return [path] }
    guard let directory = environment("XDG_RUNTIME_DIR"), directory.starts(withBytesOf: "/") else {
      return [systemPath]
    }
    return ["\(directory)/baton/baton.sock", systemPath]
  }

  /// Connects to the first path on which a program listens that is believed: this process's user, root, or the system's
  /// batond. After `su`, the environment may lead to the sockets of another user. These are passed over.
  ///
  /// - Parameters:
  ///   - isNamed: Whether the user has named the socket. Then a program of any user is believed.
  ///   - isBlocking: Whether to wait for a busy daemon, for at most `Limits.controlConnectTime`, and return a blocking
  ///     descriptor. Otherwise nothing here waits.
  /// - Returns: A close-on-exec descriptor, which the caller must close.
  /// - Throws: Why the first path that cannot be used is not; `notRunning` if nothing listens on any.
  static func open(_ paths: [String], isNamed: Bool, isBlocking: Bool = true) throws(ControlError) -> Int32 {
    var refusal: ControlError?
    for path in paths {
      do throws(ControlError) {
        guard let descriptor = try connect(path, isBlocking) else { continue }
        do throws(ControlError) { try checkServer(of: descriptor, path, isNamed) } catch {
          _ = close(descriptor)
          throw error
        }
        return descriptor
      } catch {
        switch error {
        case .foreignServer, .notPermitted: refusal = refusal ?? error
        default: throw error
        }
      }
    }
    throw refusal ?? .notRunning(paths: paths)
  }

  /// Returns nil if nothing listens.
  private static func connect(_ path: String, _ isBlocking: Bool) throws(ControlError) -> Int32? {
    let deadline = ContinuousClock.now + Limits.controlConnectTime
    while true {
      do {
        let descriptor = try Sockets.connect(path: path)
        guard isBlocking else { return descriptor }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var time = timeval(tv_sec: Int(Limits.controlConnectTime.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
      } catch {
        switch error.code {
        case ENOENT, ECONNREFUSED, ENOTDIR: return nil
        case EACCES, EPERM: throw .notPermitted(path: path)
        // The listener's queue is full, and nothing reports when that changes.
        case EAGAIN where isBlocking && ContinuousClock.now < deadline: _ = usleep(20_000)
        case EAGAIN: throw .timedOut
        default: throw .system(error)
        }
      }
    }
  }

  /// Checks the server's user. A program that took the path before the daemon must not receive what the user hands off.
  private static func checkServer(of descriptor: Int32, _ path: String, _ isNamed: Bool) throws(ControlError) {
    guard let user = Sockets.peerUser(of: descriptor) else { throw .foreignServer(path: path, user: nil) }
    guard isNamed || isBelieved(user, at: path, owner: owner(of: path)) else {
      throw .foreignServer(path: path, user: user)
    }
  }

  /// Whether a program of this user may be the daemon. The owner of a folder proves nothing, except at ``systemPath``:
  /// only root can make that folder, and systemd gives it to the user that it made for the service (DynamicUser=).
  ///
  /// - Parameter owner: The owner of the socket's folder.
  static func isBelieved(_ user: uid_t, at path: String, owner: uid_t?, own: uid_t = geteuid()) -> Bool {
    user == 0 || user == own || path == systemPath && owner == user
  }

  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    guard path == systemPath, lstat("/run/baton", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return status.st_uid
  }
}
