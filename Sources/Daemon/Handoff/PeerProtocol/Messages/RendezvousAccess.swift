// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What a device needs to meet its team at servers: where they are, and what lets it in. It contains secrets.
///
/// An administrator makes it. It hands it out where it hands out certificates: when a device joins, and in sessions.
/// Earlier versions also had the member `zone`, which is ignored.
package struct RendezvousAccess: MessageBody {
  /// The maximum length of the address of a server or a relay, in bytes: a host's name, a port and an ID.
  package static let serverAddressLength = 400
  /// The maximum length of what lets a device in, in bytes. It takes about 700.
  package static let rendezvousTokenLength = 4096

  package static var type: UInt8 { TeamMessage.Number.rendezvous.rawValue }

  /// Greater with each change of where the servers are: milliseconds since 1970.
  @Coded<Number> package var version: Int64
  /// The NATS servers, which are one cluster: `HOST:PORT`. None if there is nothing to meet at.
  @Coded<ServerList> package var servers: [String]
  /// The SHA-256 hashes of the servers' public keys. If there is none, the system's certificate authorities decide.
  @Coded<PinList> package var pins: [[UInt8]]
  /// The relays: `relay://HOST:PORT/?id=ID`.
  @Coded<ServerList> package var relays: [String]
  /// What lets this device in; nil if there are no servers.
  package var user: User?
  /// What makes users; nil if the device is no administrator's.
  package var account: Account?

  /// What lets one device in at the servers.
  package struct User: Structure {
    /// A JWT that the team's account has signed.
    @Coded<Token> package var token: String
    /// The seed of the Ed25519 key that the token is for.
    @Coded<Seed> package var seed: [UInt8]
    /// When the token ends, in seconds since 1970.
    @Coded<Number> package var expires: Int64

    package init(token: String, seed: [UInt8], expires: Int64) {
      (self.token, self.seed, self.expires) = (token, seed, expires)
    }
  }

  /// The team's account at the servers.
  package struct Account: Structure {
    /// The seed of its Ed25519 key.
    @Coded<Seed> package var seed: [UInt8]
    /// The servers' operator, if the team runs them itself; nil if an organization does.
    package var `operator`: Operator?

    package init(seed: [UInt8], operator: Operator?) { (self.seed, self.operator) = (seed, `operator`) }
  }

  /// What decides which accounts the servers have.
  package struct Operator: Structure {
    /// The seed of its Ed25519 key, and that of the account through which servers are told.
    @Coded<Seed> package var seed: [UInt8]
    @Coded<Seed> package var system: [UInt8]

    package init(seed: [UInt8], system: [UInt8]) { (self.seed, self.system) = (seed, system) }
  }

  package init(
    version: Int64,
    servers: [String] = [],
    pins: [[UInt8]] = [],
    relays: [String] = [],
    user: User? = nil,
    account: Account? = nil
  ) {
    (self.version, self.servers, self.pins, self.relays) = (version, servers, pins, relays)
    (self.user, self.account) = (user, account)
  }

  /// Whether there is nowhere to meet.
  package var isEmpty: Bool { servers.isEmpty }

  /// A number that JSON keeps exactly.
  package enum Number: MemberCoding {
    private static let range: ClosedRange<Int64> = 0...(1 << 53)

    package static func decode(_ json: JSON?) -> Int64? { json?.int64.flatMap { range.contains($0) ? $0 : nil } }
    package static func encode(_ number: Int64) -> JSON? { .integer(number) }
  }

  package enum Seed: BoundedBytes {
    package static let lengths = 32...32
  }

  package enum Token: UnescapedText {
    package static let lengths = 1...RendezvousAccess.rendezvousTokenLength
  }

  package enum Server: UnescapedText {
    package static let lengths = 1...RendezvousAccess.serverAddressLength
  }

  package enum ServerList: MemberCoding {
    package static func decode(_ json: JSON?) -> [String]? {
      guard let json else { return [] }
      guard let list = json.array, list.count <= Limits.rendezvousServers else { return nil }
      let texts = list.compactMap { Server.decode($0) }
      return texts.count == list.count ? texts : nil
    }

    package static func encode(_ texts: [String]) -> JSON? { texts.isEmpty ? .none : .array(texts.map(JSON.string)) }
  }

  package enum PinList: MemberCoding {
    package static func decode(_ json: JSON?) -> [[UInt8]]? {
      guard let json else { return [] }
      guard let list = json.array, list.count <= Limits.rendezvousServers else { return nil }
      let pins = list.compactMap { Seed.decode($0) }
      return pins.count == list.count ? pins : nil
    }

    package static func encode(_ pins: [[UInt8]]) -> JSON? {
      pins.isEmpty ? .none : .array(pins.map { .string(Base64.encode($0)) })
    }
  }
}
