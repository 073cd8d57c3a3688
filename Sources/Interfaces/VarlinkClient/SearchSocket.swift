// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Finds the socket of the user's search index, which `baton agent` serves.
package enum SearchSocket {
  static let interface = "io.baton.Search"

  /// Returns the path of the socket. Nil if there is no runtime directory.
  ///
  /// - Parameter environment: Returns the value of an environment variable.
  package static func path(environment: (String) -> String?) -> String? {
    if let path = environment("BATON_SEARCH_SOCKET"), !path.isEmpty { return path }
    guard let directory = environment("XDG_RUNTIME_DIR"), directory.starts(withBytesOf: "/") else { return nil }
    return "\(directory)/baton/search.sock"
  }

  /// The path for this process.
  package static var path: String? { path { name in getenv(name).map { String(cString: $0) } } }

  /// Whether there is a socket: the index runs, or systemd starts it for the first client.
  ///
  /// - Parameter path: Its path; nil for the usual one.
  package static func exists(_ path: String?) -> Bool {
    guard let path = path ?? self.path else { return false }
    return access(path, F_OK) == 0
  }

  /// See ``DaemonSocket/open(_:isNamed:isBlocking:)``.
  static func open(_ path: String?, isBlocking: Bool) throws(ControlError) -> Int32 {
    let paths = [path ?? self.path].compactMap(\.self)
    do throws(ControlError) {
      let isNamed = DaemonSocket.isNamed(path, "BATON_SEARCH_SOCKET", .current)
      return try DaemonSocket.open(paths, isNamed: isNamed, isBlocking: isBlocking)
    } catch {
      throw error == .notRunning(paths: paths) ? .searchNotRunning(path: paths.first) : error
    }
  }
}
