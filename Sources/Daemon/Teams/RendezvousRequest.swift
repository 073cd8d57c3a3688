// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import TLS

/// What the administrator of a team asks whoever runs servers for an organization (Protocol.md section 11). It is not
/// secret.
package struct RendezvousRequest: Structure {
  static let version: Int64 = 1

  let version: Int64
  /// The public key of the team's account.
  @Coded<RendezvousAccess.Seed> var account: [UInt8]
  /// What people call the team.
  @Coded<TeamLabel> var name: String
  /// The users that are no longer let in.
  @Coded<KeyList> var revoked: [[UInt8]]
  /// No user is let in whose token was made until then, in seconds since 1970. Nil if that is no reason.
  let revokedUntil: Int64?
  /// Proves that the sender has the account's key.
  @Coded<Signature> var signature: [UInt8]

  enum TeamLabel: BoundedText {
    static let lengths = 1...Limits.teamNameLength
  }

  enum Signature: BoundedBytes {
    static let lengths = 64...64
  }

  enum KeyList: MemberCoding {
    static func decode(_ json: JSON?) -> [[UInt8]]? {
      guard let list = (json ?? []).array, list.count <= Limits.revokedUsers else { return nil }
      let keys = list.compactMap { RendezvousAccess.Seed.decode($0) }
      return keys.count == list.count ? keys : nil
    }

    static func encode(_ keys: [[UInt8]]) -> JSON? { .array(keys.map { .string(Base64.encode($0)) }) }
  }

  init(account seed: [UInt8], name: String, revoked users: RevokedUsers) throws(TLSError) {
    let key = try PrivateKey(seed: seed)
    revokedUntil = users.all
    account = try key.rawPublicKey
    (version, self.name, revoked) = (Self.version, name, users.users.map(\.key))
    signature = []
    signature = try key.sign(signed)
  }

  private var signed: [UInt8] {
    Array("baton rendezvous request 1\n\(revokedUntil ?? 0)\n".utf8) + account + SHA256.hash(Array(name.utf8))
      + revoked.flatMap(\.self)
  }

  /// - Parameter now: Seconds since 1970.
  func revocations(now: Int64) -> NATSRevocations {
    var revocations = NATSRevocations()
    for key in revoked { revocations.revoke(key, until: now + Authority.deviceValidity) }
    if let revokedUntil { revocations.revokeAll(until: min(revokedUntil, now)) }
    return revocations
  }

  /// - Throws: `requestInvalid`, `versionMismatch`.
  package init(text: String) throws(Reason) {
    guard text.utf8.count <= Limits.rendezvousRequestLength, let json = try? JSON(parsing: text.utf8, depth: 3),
      let version = json.object?["version"]?.int64
    else { throw .requestInvalid }
    guard version == Self.version else { throw .versionMismatch }
    guard let request = Self(json: json),
      PrivateKey.isSigned(request.signed, with: request.signature, by: request.account)
    else { throw .requestInvalid }
    self = request
  }

  package var text: String { json.text + "\n" }
}

/// What whoever runs servers answers: where the servers are. It is not secret.
package struct RendezvousApproval: Structure {
  static let version: Int64 = 1

  let version: Int64
  /// The public key of the account that was asked for.
  @Coded<RendezvousAccess.Seed> var account: [UInt8]
  @Coded<RendezvousAccess.ServerList> var servers: [String]
  @Coded<RendezvousAccess.PinList> var pins: [[UInt8]]
  @Coded<RendezvousAccess.ServerList> var relays: [String]

  init(account: [UInt8], servers: [String], pins: [[UInt8]], relays: [String]) {
    version = Self.version
    (self.account, self.servers, self.pins, self.relays) = (account, servers, pins, relays)
  }

  /// - Throws: `approvalInvalid`, `versionMismatch`.
  package init(text: String) throws(Reason) {
    guard text.utf8.count <= Limits.enrolmentFileLength, let json = try? JSON(parsing: text.utf8, depth: 3),
      let version = json.object?["version"]?.int64
    else { throw .approvalInvalid }
    guard version == Self.version else { throw .versionMismatch }
    guard let approval = Self(json: json), !approval.servers.isEmpty,
      approval.servers.allSatisfy({ ServerAddress($0) != nil }),
      approval.relays.allSatisfy({ (try? RelayAddress($0)) != nil })
    else { throw .approvalInvalid }
    self = approval
  }

  package var text: String { json.text + "\n" }
}
