// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import TLS

/// Setting up the servers where a team meets, on an administrator's machine.
extension TeamStore {
  /// The operators of servers on one machine.
  static let operatorShare = Share(ofAll: 32)

  /// Makes keys for servers that the team runs itself, and makes its devices meet there.
  ///
  /// - Parameters:
  ///   - servers: At least one. All listen on the same port.
  ///   - replaces: Whether they take the place of those where the team meets now.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `rendezvousExists`, `addressInvalid`, `storageFailed`.
  package func createRendezvous(
    _ servers: [ServerAddress],
    relays: [ServerAddress],
    of id: TeamID,
    replaces: Bool = false,
    now: Int64
  ) throws(Reason) -> RendezvousServers {
    let before = try administered(id).rendezvous
    guard replaces || before?.servers.isEmpty != false else { throw .rendezvousExists }
    try Self.check(servers, relays)
    let seed = SystemRandom.bytes(PrivateKey.seedLength)
    let made = try storing {
      let key = try PrivateKey(seed: seed).rawPublicKey
      return try RendezvousServers.make(
        servers,
        relays: relays,
        accounts: { signer throws(TLSError) in
          [(key, try signer.accountToken(key, revoked: NATSRevocations(), now: now))]
        },
        now: now
      )
    }
    _ = try setRendezvous(of: id, replacesServers: true, now: now) { access in
      (access.servers, access.pins, access.relays) = (servers.map(\.description), made.pins, made.relays)
      access.account = RendezvousAccess.Account(seed: seed, operator: made.operator)
    }
    return made
  }

  private static func check(_ servers: [ServerAddress], _ relays: [ServerAddress]) throws(Reason) {
    guard !servers.isEmpty, servers.count <= Limits.rendezvousServers, relays.count <= Limits.rendezvousServers,
      Set(servers.map(\.port)).count == 1, Set(relays.map(\.port)).count <= 1
    else { throw .addressInvalid }
  }

  /// Asks whoever runs servers for an organization to let the team in.
  ///
  /// - Parameters:
  ///   - replaces: Whether the team may give up servers that it runs itself.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `rendezvousExists`, `storageFailed`.
  package func requestRendezvous(of id: TeamID, replaces: Bool = false, now: Int64) throws(Reason) -> String {
    let team = try administered(id)
    var access = team.rendezvous
    if access?.account == nil || access?.account?.operator != nil {
      guard replaces || access?.servers.isEmpty != false else { throw .rendezvousExists }
      let account = RendezvousAccess.Account(seed: SystemRandom.bytes(PrivateKey.seedLength), operator: nil)
      // The team meets nowhere until the answer arrives.
      access = try setRendezvous(of: id, replacesServers: true, now: now) { access in
        (access.servers, access.pins, access.relays) = ([], [], [])
        access.account = account
      }
    }
    guard let account = access?.account else { throw .internalFailure }
    return try storing {
      let revoked = try revokedUsers(of: team, account, now: now)
      return try RendezvousRequest(account: account.seed, name: team.name, revoked: revoked).text
    }
  }

  /// Makes the devices of a team meet at an organization's servers.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`, `approvalInvalid`, `versionMismatch`, `storageFailed`.
  package func importRendezvous(_ text: String, of id: TeamID, now: Int64) throws(Reason) {
    let team = try administered(id)
    let approval = try RendezvousApproval(text: text)
    guard let account = team.rendezvous?.account,
      try storing({ try PrivateKey(seed: account.seed).rawPublicKey }) == approval.account
    else { throw .approvalInvalid }
    _ = try setRendezvous(of: id, now: now) { access in
      (access.servers, access.pins, access.relays) = (approval.servers, approval.pins, approval.relays)
    }
  }

  /// Makes the devices of a team meet nowhere, but on their networks.
  package func removeRendezvous(of id: TeamID, now: Int64) throws(Reason) {
    guard try team(id).rendezvous?.isEmpty == false else { return }
    _ = try setRendezvous(of: id, replacesServers: true, now: now) { access in
      access = RendezvousAccess(version: access.version)
    }
  }

  // MARK: For an organization

  private var operatorsPath: String { StoredTeams.operatorsPath(in: directory) }

  /// The servers that users of this machine run for teams of others.
  package func rendezvousOperators(of user: UInt32) throws(Reason) -> [RendezvousOperator] {
    try storing { try loadOperators() }.filter { user == 0 || $0.owner == user }
  }

  private func loadOperators() throws -> [RendezvousOperator] {
    guard try Files.isThere(operatorsPath) else { return [] }
    let bytes = try secrets.read(operatorsPath, limit: Limits.operatorFileLength)
    guard let operators = RendezvousOperator.list(bytes) else { throw StorageError("read", operatorsPath, code: 0) }
    return operators
  }

  /// Makes keys for servers that teams of others can use.
  ///
  /// - Parameters:
  ///   - owner: The user for whom they are made.
  ///   - replaces: Whether they take the place of those that the user has under the name.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNameInvalid`, `rendezvousExists`, `limitReached`, `addressInvalid`, `storageFailed`.
  package func createRendezvousOperator(
    _ name: String,
    _ servers: [ServerAddress],
    relays: [ServerAddress],
    owner: UInt32,
    replaces: Bool = false,
    now: Int64
  ) throws(Reason) -> RendezvousServers {
    guard Team.isName(name) else { throw .teamNameInvalid }
    try Self.check(servers, relays)
    return try storing {
      var all = try loadOperators()
      if let index = all.firstIndex(where: { $0.owner == owner && $0.name == name }) {
        guard replaces else { throw Reason.rendezvousExists }
        all.remove(at: index)
      }
      guard Self.operatorShare.allows(owner, own: all.count { $0.owner == owner }, all: all.count) else {
        throw Reason.limitReached
      }
      let made = try RendezvousServers.make(servers, relays: relays, accounts: { _ in [] }, now: now)
      let new = RendezvousOperator(
        name: name,
        owner: owner,
        servers: servers.map(\.description),
        pins: made.pins,
        relays: made.relays,
        keys: made.operator
      )
      try secrets.write(RendezvousOperator.bytes(all + [new]), to: operatorsPath, in: directory)
      return made
    }
  }

  /// Answers a team's request.
  ///
  /// - Parameter name: Which of the user's operators answers; nil if there is one.
  /// - Returns: The answer, what the operator's servers must know of the team, and the operator.
  /// - Throws: `requestInvalid`, `versionMismatch`; `operatorNotFound` if the user has no such operator,
  ///   `operatorAmbiguous` if there are several.
  package func authorizeRendezvous(
    _ text: String,
    as name: String?,
    by user: UInt32,
    now: Int64
  ) throws(Reason) -> (answer: String, account: ServerAccount, operator: RendezvousOperator, team: String) {
    let request = try RendezvousRequest(text: text)
    let operators = try rendezvousOperators(of: user).filter { name == nil || $0.name == name }
    guard let own = operators.first else { throw .operatorNotFound }
    guard operators.count == 1 else { throw .operatorAmbiguous }
    let account = ServerAccount(key: request.account, revoked: request.revocations(now: now), operator: own.keys)
    let answer = RendezvousApproval(account: request.account, servers: own.servers, pins: own.pins, relays: own.relays)
    return (answer.text, account, own, request.name)
  }
}

/// Who decides which teams servers let in, on the machine of a user who does so for an organization.
package struct RendezvousOperator: Structure {
  package let name: String
  package let owner: UInt32
  @Coded<RendezvousAccess.ServerList> package var servers: [String]
  @Coded<RendezvousAccess.PinList> package var pins: [[UInt8]]
  @Coded<RendezvousAccess.ServerList> package var relays: [String]
  package let keys: RendezvousAccess.Operator

  init(
    name: String,
    owner: UInt32,
    servers: [String],
    pins: [[UInt8]],
    relays: [String],
    keys: RendezvousAccess.Operator
  ) {
    (self.name, self.owner, self.keys) = (name, owner, keys)
    (self.servers, self.pins, self.relays) = (servers, pins, relays)
  }

  static func list(_ bytes: [UInt8]) -> [RendezvousOperator]? {
    guard let list = (try? JSON(parsing: bytes, depth: 5))?.object?["operators"]?.array else { return nil }
    let operators = list.compactMap(RendezvousOperator.init(json:))
    return operators.count == list.count ? operators : nil
  }

  static func bytes(_ operators: [RendezvousOperator]) -> [UInt8] {
    JSON.object(["operators": .array(operators.map(\.json))]).bytes
  }
}
