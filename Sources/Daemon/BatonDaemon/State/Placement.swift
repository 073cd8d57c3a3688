// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Where the daemon keeps its socket and its state: for the whole machine, or for one user.
package struct Placement: Equatable, Sendable {
  package let socket: String
  package let stateDirectory: String
  /// The mode of the socket. The system daemon's is for every user, and a user's is for that user only.
  package let socketMode: UInt32
  /// The link to the socket in the Varlink registry; nil if the configuration names the socket, or if a user has no
  /// runtime directory.
  package let registryLink: String?

  /// - Parameters:
  ///   - environment: Returns a variable's value; nil if it is unset or empty.
  /// - Throws: A sentence that says which variable is missing, or what is wrong with the path.
  package init(
    isUser: Bool,
    configuration: Configuration,
    environment: (String) -> String?
  ) throws(PlacementError) {
    var socket = configuration.socket
    var state = configuration.stateDirectory
    let runtime = environment("XDG_RUNTIME_DIR")
    if isUser {
      if socket == nil {
        guard let runtime else {
          throw PlacementError("XDG_RUNTIME_DIR isn't set, or is another user's. Choose a socket with --socket")
        }
        socket = "\(runtime)/baton/baton.sock"
      }
      if state == nil {
        let home = environment("HOME").map { "\($0)/.local/state" }
        guard let base = environment("XDG_STATE_HOME") ?? home else {
          throw PlacementError("HOME isn't set. Choose a state directory with --state-directory")
        }
        state = environment("STATE_DIRECTORY") ?? "\(base)/baton"
      }
    }
    self.socket = socket ?? "\(environment("RUNTIME_DIRECTORY") ?? "/run/baton")/baton.sock"
    stateDirectory = state ?? environment("STATE_DIRECTORY") ?? "/var/lib/baton"
    socketMode = isUser ? 0o600 : 0o666
    let registry = isUser ? runtime.map { "\($0)/varlink/registry" } : "/run/varlink/registry"
    guard self.socket.utf8.count <= Sockets.pathLength else {
      throw PlacementError(
        """
        The path of the control socket is longer than the system's limit of \(Sockets.pathLength) bytes. Choose a \
        shorter one with --socket: \(self.socket)
        """
      )
    }
    registryLink = configuration.socket == nil ? registry.map { "\($0)/io.baton.Handoff" } : nil
  }
}

package struct PlacementError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
