// SPDX-License-Identifier: Apache-2.0

/// What a client tells a relay ("Relay Protocol v1" of Syncthing).
package enum RelayRequest: Equatable, Sendable {
  /// Wait for guests (`JoinRelayRequest`). Later versions of the protocol add a token, and take its absence for an
  /// empty one.
  case joinRelay
  /// Invite this client and the host with this ID to a session (`ConnectRequest`).
  case connect(hostID: [UInt8])
  /// Join a session, on a connection without TLS (`JoinSessionRequest`).
  case joinSession(key: [UInt8])
  case pong

  package var bytes: [UInt8] {
    switch self {
    case .pong: Self.message(1, [])
    case .joinRelay: Self.message(2, [])
    case .joinSession(let key): Self.message(3, Self.opaque(key))
    case .connect(let hostID): Self.message(5, Self.opaque(hostID))
    }
  }

  private static func message(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    number(RelayMessage.magic) + number(type) + number(UInt32(body.count)) + body
  }

  /// Bytes of any length, as XDR (RFC 4506) writes them.
  private static func opaque(_ bytes: [UInt8]) -> [UInt8] {
    number(UInt32(bytes.count)) + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  private static func number(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
