// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Whose sockets are at the other end of a connection within this machine. All users share the loopback addresses.
extension Sockets {
  /// Whether this process's user has the other end of a connection within this machine. False if it is closed.
  package static func isOfThisUser(peerOf descriptor: Int32) -> Bool {
    guard let peer = peerAddress(of: descriptor), let own = localAddress(of: descriptor),
      peer.bytes.count == own.bytes.count
    else { return false }
    return clinux_connection_user(peer.bytes, peer.port, own.bytes, own.port, peer.bytes.count) == Int64(getuid())
  }

  /// Who listens at an address of this machine.
  package enum ListeningUser: Equatable, Sendable {
    case this
    /// Another user, or several.
    case other
    case none
  }

  package static func listeningUser(at address: SocketAddress) -> ListeningUser {
    switch clinux_listening_user(address.bytes, address.bytes.count, address.port) {
    case Int64(getuid()): .this
    case -1: .none
    default: .other
    }
  }
}
