// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import TLS
import Testing

@testable import Teams

/// Where a team meets, on two machines of it. The first one is the administrator's.
@Suite struct RendezvousStoreTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let first: TeamStore
  private let second: TeamStore
  private let team: TeamID

  init() throws {
    first = try home.store()
    second = try away.store()
    team = try first.create(name: "Home", owner: 1000, now: now).id
    _ = try second.import(first.approve(second.request(owner: 5), in: team, now: now), owner: 5, now: now)
  }

  private func addresses(_ texts: [String]) throws -> [ServerAddress] {
    try texts.map { try #require(ServerAddress($0)) }
  }

  @discardableResult
  private func create(_ servers: [String] = ["a.example.org"], now: Int64 = now) throws -> RendezvousServers {
    let relays = try addresses(["r.example.org:22067"])
    return try first.createRendezvous(addresses(servers), relays: relays, of: team, replaces: true, now: now)
  }

  private func access(in store: TeamStore) throws -> RendezvousAccess? { try store.team(team).rendezvous }

  /// What the first machine makes for the second.
  private func made(isAdministrator: Bool = false, now: Int64 = now) throws -> RendezvousAccess {
    let device = try second.team(team).device
    return try #require(try first.rendezvous(for: device, isAdministrator: isAdministrator, in: team, now: now))
  }

  /// Makes another version of where the team meets, which is where it met.
  private func change(in store: TeamStore? = nil, at now: Int64) throws {
    _ = try (store ?? first).setRendezvous(of: team, now: now) { _ in }
  }

  private func promote() throws {
    let certificate = try second.team(team).credentials.certificate
    #expect(try second.accept(first.promote(certificate, in: team, now: now), in: team, now: now))
  }

  /// The token of the team's account, for servers that know nothing of it.
  private func accountToken(now: Int64 = now) throws -> String {
    let account = try #require(try first.rendezvousAccount(of: team, now: now))
    return try #require(try account.token(besides: "", now: now))
  }

  /// The claims of a token.
  private func claims(_ token: String) throws -> [String: JSON] {
    let parts = token.split(separator: ".")
    let bytes = try #require(parts.count == 3 ? Base64URL.decode(String(parts[1])) : nil)
    return try #require(JSON(parsing: bytes, depth: 8).object)
  }

  // MARK: The team's own servers

  @Test func eachDeviceGetsWhatLetsItIn() throws {
    let servers = try create(["a.example.org", "b.example.org"])
    #expect(
      servers.files.map(\.name) == [
        "nats.conf", "server.pem", "server.key", "relay.env", "relay/cert.pem", "relay/key.pem",
      ]
    )
    let own = try #require(try access(in: first))
    #expect(own.servers == ["a.example.org:4222", "b.example.org:4222"] && own.pins == servers.pins)
    #expect(own.relays.count == 1 && own.relays[0].hasPrefix("relay://r.example.org:22067/?id="))
    #expect(try RelayAddress(own.relays[0]).id?.count == 32)
    let other = try made()
    #expect(other.account == nil && own.account?.operator != nil)
    #expect(other.servers == own.servers && other.version == own.version && other.relays == own.relays)
    let (user, ownUser) = (try #require(other.user), try #require(own.user))
    #expect(user.seed != ownUser.seed && user.expires == now + Authority.deviceValidity)
    let claims = try claims(user.token)
    #expect(claims["sub"]?.string == NATSKey.text(.user, try PrivateKey(seed: user.seed).rawPublicKey))
    let account = try PrivateKey(seed: try #require(own.account?.seed)).rawPublicKey
    #expect(claims["iss"]?.string == NATSKey.text(.account, account))
    let credentials = try first.team(team).credentials
    let name = RendezvousKeys.name(of: try second.team(team).device, discoveryKey: credentials.discoveryKey)
    #expect(claims["name"]?.string == name && NATSToken.name(in: user.token) == name)
    // Nothing that a server sees says which team or device it is.
    let device = try second.team(team).device.text
    for token in [user.token, ownUser.token, try accountToken()] {
      let text = try JSON.object(self.claims(token)).text
      #expect(!text.contains("Home") && !text.contains(device), "\(text)")
    }
  }

  @Test func whatWasToldIsKept() throws {
    try create()
    let told = try made()
    #expect(try second.take(told, of: team))
    #expect(try !second.take(told, of: team), "It is nothing new")
    #expect(try access(in: second) == told && access(in: away.store()) == told)
    #expect(try access(in: first) == access(in: home.store()))
    for directory in [home, away] {
      let modes = directory.modes.filter { $0.key.hasSuffix("/rendezvous.json") }
      #expect(modes.map(\.value) == [0o600])
    }
  }

  @Test func aDeviceThatJoinsIsToldAtOnce() throws {
    try create()
    let joiner = try Joiner()
    let joined = try joiner.redeem(first.invite(team, now: now).code, of: team, at: first)
    #expect(joined.rendezvous?.account == nil && joined.rendezvous?.user != nil)
    let third = try TestDirectory().store()
    _ = try third.import(first.approve(third.request(owner: 5), in: team, now: now), owner: 5, now: now)
    #expect(try access(in: third)?.user != nil && access(in: third)?.account == nil)
  }

  @Test func onlyWhatIsNewerIsTaken() throws {
    try create()
    let before = try made()
    try create(["b.example.org"], now: now + 1)
    let after = try made()
    #expect(after.version > before.version)
    #expect(try second.take(after, of: team))
    #expect(try !second.take(before, of: team))
    #expect(try access(in: second)?.servers == ["b.example.org:4222"])
    #expect(throws: Reason.teamNotFound) { try TestDirectory().store().take(after, of: team) }
  }

  /// A new token is a reason to connect again, so one that is hardly better is not taken.
  @Test func aTokenThatIsHardlyBetterIsNotTaken() throws {
    try create()
    #expect(try second.take(made(), of: team))
    let quarter = Authority.renewalTime / 4
    #expect(try !second.take(made(now: now + quarter - 1), of: team))
    #expect(try second.take(made(now: now + quarter), of: team))
  }

  @Test func theVersionGrowsEvenIfTheClockIsSetBack() throws {
    try create()
    let version = try #require(try access(in: first)?.version)
    #expect(version == now * 1000)
    try change(at: now - 86_400)
    #expect(try access(in: first)?.version == version + 1)
  }

  @Test func onlyAnAdministratorDecides() throws {
    let servers = try addresses(["a.example.org"])
    #expect(throws: Reason.notAdministrator) {
      try second.createRendezvous(servers, relays: [], of: team, now: now)
    }
    #expect(throws: Reason.notAdministrator) { try change(in: second, at: now) }
    #expect(throws: Reason.notAdministrator) { try second.requestRendezvous(of: team, now: now) }
    try create()
    _ = try second.take(made(), of: team)
    let device = try first.team(team).device
    #expect(throws: Reason.notAdministrator) {
      try second.rendezvous(for: device, isAdministrator: false, in: team, now: now)
    }
    #expect(throws: Reason.notAdministrator) { try second.removeRendezvous(of: team, now: now) }
    #expect(try second.rendezvousAccount(of: team, now: now) == nil)
    #expect(!second.renewOwnRendezvous(of: team, now: now))
  }

  @Test(arguments: [
    ([], []), (["a:1", "b:2"], []), (["a"], ["b:1", "c:2"]),
    ((0...8).map { "s\($0)" }, []), (["a"], (0...8).map { "r\($0)" }),
  ])
  func serversThatCannotBeAreRefused(_ servers: [String], _ relays: [String]) throws {
    #expect(throws: Reason.addressInvalid) {
      try first.createRendezvous(addresses(servers), relays: addresses(relays), of: team, now: now)
    }
    #expect(try access(in: first) == nil)
    #expect(try first.rendezvous(for: second.team(team).device, isAdministrator: true, in: team, now: now) == nil)
  }

  // MARK: Several administrators

  @Test func whatMakesUsersIsToldToAdministratorsAndKept() throws {
    try create()
    try promote()
    let told = try made(isAdministrator: true)
    #expect(try told.account == access(in: first)?.account && told.account != nil)
    #expect(try second.take(told, of: team))
    // The same servers, from a machine that takes this one for a member.
    try change(at: now + 1)
    #expect(try second.take(made(), of: team) && access(in: second)?.account == told.account)
    let third = try TestDirectory().store()
    let request = try third.request(owner: 5)
    _ = try third.import(second.approve(request, in: team, now: now), owner: 5, now: now)
    #expect(try access(in: third)?.user != nil)
    // Other servers have another account.
    try create(["b.example.org"], now: now + 2)
    #expect(try second.take(made(), of: team) && access(in: second)?.account == nil)
  }

  /// It was not told yet what makes users. It admits devices all the same, and the first administrator's machine tells
  /// them where the team meets.
  @Test func anAdministratorThatCannotMakeUsersAdmitsDevices() throws {
    try create()
    _ = try second.take(made(), of: team)
    try promote()
    let device = try first.team(team).device
    #expect(throws: Reason.notAdministrator) {
      try second.rendezvous(for: device, isAdministrator: false, in: team, now: now)
    }
    let joined = try Joiner().redeem(second.invite(team, now: now).code, of: team, at: second)
    #expect(joined.rendezvous == nil)
    let third = try TestDirectory().store()
    let request = try third.request(owner: 5)
    _ = try third.import(second.approve(request, in: team, now: now), owner: 5, now: now)
    #expect(try access(in: third) == nil)
  }

  // MARK: Removed devices

  @Test func aRemovedDeviceGetsNothingAndIsNamedToTheServers() throws {
    try create()
    let told = try made()
    let lost = NATSKey.text(.user, try PrivateKey(seed: try #require(told.user).seed).rawPublicKey)
    let device = try second.team(team).device
    let before = try accountToken()
    #expect(try claims(before)["nats"]?.object?["revocations"] == nil)
    let own = try #require(try access(in: first)?.user)
    #expect(try first.isCurrent(own, of: first.team(team), now: now))

    try first.revoke(device, of: team, now: now)
    #expect(throws: Reason.certificateRevoked) {
      try first.rendezvous(for: device, isAdministrator: false, in: team, now: now)
    }
    let after = try accountToken()
    let revoked = try #require(try claims(after)["nats"]?.object?["revocations"]?.object)
    #expect(revoked[lost] == .integer(now + Authority.deviceValidity))
    let ownKey = NATSKey.text(.user, try PrivateKey(seed: own.seed).rawPublicKey)
    #expect(revoked[ownKey] == nil, "Nobody else is cut off")
    // The discovery key is new, and so are the keys and names of those who stay.
    #expect(try !first.isCurrent(own, of: first.team(team), now: now))
    #expect(first.renewOwnRendezvous(of: team, now: now) && !first.renewOwnRendezvous(of: team, now: now))
    #expect(try access(in: first)?.user?.seed != own.seed)
    // It is named as long as a token could be valid that an administrator has made who did not know of the removal.
    let year = Authority.deviceValidity
    let last = try accountToken(now: now + 2 * year)
    #expect(try claims(last)["nats"]?.object?["revocations"]?.object?[lost] == .integer(now + year))
    #expect(try claims(accountToken(now: now + 2 * year + 1))["nats"]?.object?["revocations"] == nil)
  }

  /// Another administrator's machine, which has not heard of a removal, tells the servers nothing that undoes it.
  @Test func whatServersKnowStays() throws {
    try create()
    let stale = try #require(try first.rendezvousAccount(of: team, now: now))
    let told = try made()
    let lost = NATSKey.text(.user, try PrivateKey(seed: try #require(told.user).seed).rawPublicKey)
    try first.revoke(second.team(team).device, of: team, now: now)
    let token = try accountToken()
    let known = try #require(NATSRevocations(token: token))
    #expect(known.users[lost] != nil && known.all == nil)
    #expect(try stale.token(besides: token, now: now) == nil, "There is nothing to tell")
    let own = try #require(try first.rendezvousAccount(of: team, now: now))
    #expect(try own.token(besides: token, now: now) == nil)
    // The servers know of another one.
    var others = NATSRevocations()
    others.revoke([UInt8](repeating: 9, count: 32), until: now)
    let signer = try RendezvousSigner(seed: own.operator.seed)
    let answer = try signer.accountToken(own.key, revoked: others, now: now)
    let merged = try #require(try own.token(besides: answer, now: now))
    let both = try #require(NATSRevocations(token: merged))
    #expect(both.contains(others) && both.contains(known) && both.users.count == known.users.count + 1)
    // A server cannot make the administrator cut off others: not with a token that somebody else has signed, that was
    // changed, or that is of another account.
    others.revokeAll(until: .max)
    let strange = try RendezvousSigner(seed: [UInt8](repeating: 7, count: 32))
    let genuine = try signer.accountToken(own.key, revoked: others, now: now)
    let signature = try #require(answer.split(separator: ".").last)
    let changed = (genuine.split(separator: ".").dropLast() + [signature]).joined(separator: ".")
    for wrong in [
      try strange.accountToken(own.key, revoked: others, now: now), changed, "x.\(genuine)",
      try signer.accountToken([UInt8](repeating: 9, count: 32), revoked: others, now: now), "..", "", genuine + ".",
    ] {
      let told = try #require(try own.token(besides: wrong, now: now))
      #expect(NATSRevocations(token: told) == known, "\(wrong)")
    }
  }

  @Test func whatLetsThisMachineInIsRenewedInTime() throws {
    try create()
    let expires = try #require(try access(in: first)?.user?.expires)
    let due = expires - Authority.renewalTime
    #expect(!first.renewOwnRendezvous(of: team, now: due - 1))
    // Only if the machine's certificate is still valid by then.
    first.renewOwnCertificate(of: team, now: due)
    #expect(first.renewOwnRendezvous(of: team, now: due))
    #expect(try access(in: first)?.user?.expires == due + Authority.deviceValidity)
  }

  // MARK: Nowhere

  @Test func aTeamThatMeetsNowhereTellsItsDevices() throws {
    try create()
    _ = try second.take(made(), of: team)
    try first.removeRendezvous(of: team, now: now)
    let gone = try #require(try access(in: first))
    #expect(gone.isEmpty && gone.account == nil && gone.user == nil && gone.relays.isEmpty && gone.pins.isEmpty)
    #expect(try second.take(made(), of: team) && access(in: second)?.isEmpty == true)
    #expect(try access(in: second)?.user == nil && access(in: away.store())?.isEmpty == true)
    try first.removeRendezvous(of: team, now: now + 9)
    #expect(try access(in: first) == gone, "There was nothing to remove")
    #expect(try first.rendezvousAccount(of: team, now: now) == nil)
  }
}
