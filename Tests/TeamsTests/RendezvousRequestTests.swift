// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import TLS
import Testing

@testable import Teams

/// A team that asks to be let in at an organization's servers, and the organization's machine.
@Suite struct RendezvousRequestTests {
  private let home = TestDirectory()
  private let work = TestDirectory()
  private let store: TeamStore
  private let organization: TeamStore
  private let team: TeamID

  init() throws {
    store = try home.store()
    organization = try work.store()
    team = try store.create(name: "Home", owner: 1000, now: now).id
  }

  private func address(_ text: String = "a.example.org") throws -> ServerAddress { try #require(ServerAddress(text)) }

  @discardableResult
  private func create(_ name: String, owner: UInt32 = 7) throws -> RendezvousServers {
    let relay = try address("r.example.org:22067")
    return try organization.createRendezvousOperator(name, [address()], relays: [relay], owner: owner, now: now)
  }

  private func authorize(_ request: String, as name: String? = nil, by user: UInt32 = 7) throws -> String {
    try organization.authorizeRendezvous(request, as: name, by: user, now: now).answer
  }

  /// A text with one member replaced, or removed.
  private func altered(_ text: String, _ member: String, _ value: JSON?) throws -> String {
    var members = try #require(JSON(parsing: text.utf8, depth: 4).object)
    members[member] = value
    return JSON.object(members).text
  }

  // MARK: From the request to the answer

  @Test func aTeamIsLetIn() throws {
    let servers = try create("Work")
    let request = try store.requestRendezvous(of: team, now: now)
    #expect(try store.team(team).rendezvous?.isEmpty == true, "It meets nowhere yet")
    let (answer, account, own, name) = try organization.authorizeRendezvous(request, as: nil, by: 7, now: now)
    #expect(name == "Home" && own.name == "Work" && account.revoked == NATSRevocations())
    try store.importRendezvous(answer, of: team, now: now)
    let access = try #require(try home.store().team(team).rendezvous)
    #expect(access.servers == ["a.example.org:4222"] && access.pins == servers.pins && access.relays == servers.relays)
    #expect(access.user != nil && access.account != nil && access.account?.operator == nil)
    #expect(try store.rendezvousAccount(of: team, now: now) == nil, "Others run the servers")
    // The same account is asked for again after a device was removed, and the team goes on meeting.
    let again = try RendezvousRequest(text: store.requestRendezvous(of: team, now: now))
    #expect(try again.account == RendezvousRequest(text: request).account && again.revoked.isEmpty)
    #expect(try store.team(team).rendezvous?.servers == access.servers)
    // Neither text contains a secret.
    let seed = try Base64.encode(#require(access.account).seed)
    #expect(!request.contains(seed) && !answer.contains(seed))
    #expect(!answer.contains(Base64.encode(own.keys.seed)) && !answer.contains(Base64.encode(own.keys.system)))
  }

  @Test func removedDevicesAreNamedInTheRequest() throws {
    try create("Work")
    try store.importRendezvous(authorize(store.requestRendezvous(of: team, now: now)), of: team, now: now)
    let joiner = try Joiner()
    let joined = try joiner.redeem(store.invite(team, now: now).code, of: team, at: store)
    let key = try PrivateKey(seed: try #require(joined.rendezvous?.user).seed).rawPublicKey
    try store.revoke(joiner.key.deviceID, of: team, now: now)
    let request = try store.requestRendezvous(of: team, now: now)
    #expect(try RendezvousRequest(text: request).revoked.contains(key))
    let account = try organization.authorizeRendezvous(request, as: nil, by: 7, now: now).account
    #expect(account.revoked.users[NATSKey.text(.user, key)] == now + Authority.deviceValidity)
  }

  /// A team that ran its own servers meets nowhere until the organization has answered.
  @Test func whoRunsServersGivesThemUp() throws {
    _ = try store.createRendezvous([address("own.example")], relays: [], of: team, now: now)
    let before = try #require(try store.team(team).rendezvous)
    #expect(throws: Reason.rendezvousExists) { try store.requestRendezvous(of: team, now: now) }
    #expect(try store.team(team).rendezvous == before)
    let request = try RendezvousRequest(text: store.requestRendezvous(of: team, replaces: true, now: now))
    let after = try #require(try store.team(team).rendezvous)
    #expect(after.isEmpty && after.user == nil && after.version > before.version)
    #expect(after.account?.operator == nil && after.account?.seed != before.account?.seed)
    #expect(try PrivateKey(seed: #require(after.account).seed).rawPublicKey == request.account)
  }

  // MARK: Who answers

  @Test func onlyTheUsersOwnServersAnswer() throws {
    let request = try store.requestRendezvous(of: team, now: now)
    #expect(throws: Reason.operatorNotFound) { try authorize(request) }
    try create("Work")
    #expect(throws: Reason.operatorNotFound) { try authorize(request, by: 8) }
    #expect(throws: Reason.operatorNotFound) { try authorize(request, as: "Wor") }
    _ = try authorize(request, by: 0)
    try create("Club")
    try create("Work", owner: 8)
    #expect(throws: Reason.operatorAmbiguous) { try authorize(request) }
    #expect(throws: Reason.operatorAmbiguous) { try authorize(request, as: "Work", by: 0) }
    _ = try authorize(request, as: "Club")
    #expect(try work.store().rendezvousOperators(of: 7).map(\.name) == ["Work", "Club"])
    #expect(try organization.rendezvousOperators(of: 0).count == 3 && organization.rendezvousOperators(of: 9).isEmpty)
  }

  @Test func organizationsHaveNamesAndAreFew() throws {
    for name in ["", "a\nb", String(repeating: "n", count: Limits.teamNameLength + 1)] {
      #expect(throws: Reason.teamNameInvalid) { try create(name) }
    }
    #expect(throws: Reason.addressInvalid) {
      try organization.createRendezvousOperator("Work", [], relays: [], owner: 7, now: now)
    }
    for number in 0..<TeamStore.operatorShare.perUser { try create("\(number)") }
    #expect(throws: Reason.limitReached) { try create("more") }
    try create("more", owner: 8)
    #expect(throws: Reason.rendezvousExists) { try create("0") }
    let key = try #require(try organization.rendezvousOperators(of: 7).first { $0.name == "0" }?.keys.seed)
    _ = try organization.createRendezvousOperator("0", [address()], relays: [], owner: 7, replaces: true, now: now)
    let all = try organization.rendezvousOperators(of: 7)
    #expect(all.count == TeamStore.operatorShare.perUser && !all.contains { $0.keys.seed == key })
  }

  // MARK: What is refused

  @Test func aChangedRequestIsRefused() throws {
    try create("Work")
    let request = try store.requestRendezvous(of: team, now: now)
    let members = try #require(JSON(parsing: request.utf8, depth: 3).object)
    let other = JSON.string(Base64.encode([UInt8](repeating: 9, count: 32)))
    let changes: [(String, JSON?)] = [
      ("name", "Hume"), ("name", ""), ("name", .string(String(repeating: "n", count: Limits.teamNameLength + 1))),
      ("account", other), ("account", "AA=="), ("account", nil), ("revoked", .array([other])), ("revoked", 7),
      ("revoked", .array(Array(repeating: other, count: Limits.revokedUsers + 1))),
      ("signature", .string(Base64.encode([UInt8](repeating: 0, count: 64)))), ("signature", other), ("signature", nil),
      ("version", nil), ("version", "1"), ("revokedUntil", 1),
    ]
    for (member, value) in changes {
      let text = try altered(request, member, value)
      #expect(throws: Reason.requestInvalid, "\(member)") { try authorize(text) }
    }
    #expect(throws: Reason.versionMismatch) { try authorize(altered(request, "version", 2)) }
    for text in ["", "{", "[]", "null", String(repeating: " ", count: Limits.rendezvousRequestLength) + request] {
      #expect(throws: Reason.requestInvalid) { try authorize(text) }
    }
    // What follows from the members is the same in any layout.
    _ = try authorize(JSON.object(members).text)
  }

  /// So many devices were removed that not all of their users fit, and some are known by the time alone.
  @Test func theLongestRequestIsAccepted() throws {
    let entries = try (0..<Limits.revokedDevices).map { number in
      let device = try #require(DeviceID(bytes: [UInt8](repeating: UInt8(number), count: 32)))
      return RevocationList.Entry(device: device, serial: [1], date: now + Int64(number))
    }
    let keys = (0...Limits.previousDiscoveryKeys).map { [UInt8](repeating: UInt8($0), count: 32) }
    let seed = [UInt8](repeating: 3, count: 32)
    let users = try RevokedUsers(entries, discoveryKeys: keys, account: seed, now: now + 200)
    #expect(users.users.count == Limits.revokedUsers)
    // The users that the newest ones had before their removals come first.
    for (later, entry) in entries.reversed().prefix(RevokedUsers.namedRemovals).enumerated() {
      let user = RendezvousKeys.userSeed(of: entry.device, discoveryKey: keys[later + 1], account: seed)
      let key = try PrivateKey(seed: user).rawPublicKey
      #expect(users.users.contains { $0.key == key && $0.until == entry.date + Authority.deviceValidity })
    }
    #expect(users.all == entries[Limits.revokedDevices - 1 - RevokedUsers.namedRemovals].date)
    let name = String(repeating: "n", count: Limits.teamNameLength)
    let text = try RendezvousRequest(account: seed, name: name, revoked: users).text
    // It is part of a message to the daemon.
    #expect(JSON.string(text).text.utf8.count < Limits.varlinkMessageLength - 1024)
    let request = try RendezvousRequest(text: text)
    #expect(request.revoked.count == Limits.revokedUsers && request.revokedUntil == users.all)
    #expect(request.revocations(now: now).all == now, "Only what was made until now")
    // Servers take so much from an operator.
    let signer = try RendezvousSigner(seed: seed)
    let token = try signer.accountToken(seed, revoked: request.revocations(now: now), now: now)
    #expect(token.utf8.count < Limits.accountTokenLength)
  }

  @Test func onlyTheAnswerToTheOwnRequestIsImported() throws {
    try create("Work")
    #expect(throws: Reason.approvalInvalid) {
      let other = try TestDirectory().store()
      let id = try other.create(name: "Other", owner: 5, now: now).id
      try store.importRendezvous(authorize(other.requestRendezvous(of: id, now: now)), of: team, now: now)
    }
    let answer = try authorize(store.requestRendezvous(of: team, now: now))
    let changes: [(String, JSON?)] = [
      ("account", .string(Base64.encode([UInt8](repeating: 9, count: 32)))), ("account", nil), ("servers", nil),
      ("servers", []), ("servers", ["a b"]), ("servers", [7]), ("servers", .array(Array(repeating: "a", count: 9))),
      ("pins", ["AA=="]), ("relays", 7), ("version", nil), ("relays", ["relay://r.example.org:22067/?id=A"]),
    ]
    let before = try store.team(team).rendezvous
    for (member, value) in changes {
      let text = try altered(answer, member, value)
      #expect(throws: Reason.approvalInvalid, "\(member)") { try store.importRendezvous(text, of: team, now: now) }
    }
    #expect(throws: Reason.versionMismatch) {
      try store.importRendezvous(altered(answer, "version", 2), of: team, now: now)
    }
    #expect(throws: Reason.approvalInvalid) { try store.importRendezvous("", of: team, now: now) }
    #expect(try store.team(team).rendezvous == before)
    try store.importRendezvous(answer, of: team, now: now)
  }
}
