// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

@testable import TLS

/// How a server judges the first bytes of a connection, and names that come late or twice.
@Suite struct GreetingTests {
  let team = try! TestTeam()

  private func hello(of context: TLSContext, isReturning: Bool = false) throws -> [UInt8] {
    try TLSEngine(context, isReturning: isReturning).takeOutput()
  }

  @Test func itIsKnownForWhichTeamAConnectionIs() throws {
    let (server, client) = (try team.device(), try team.device())
    let context = try TLSContext.server(credentials: [server])
    let greeting = try hello(of: .client(credentials: client))
    for count in 0..<greeting.count { #expect(context.greeting(Array(greeting.prefix(count))) == .incomplete) }
    #expect(context.greeting(greeting) == .forTeam(.member))
    #expect(
      try context.greeting(hello(of: .client(credentials: client), isReturning: true)) == .forTeam(.returning)
    )
    #expect(try context.greeting(hello(of: .client(credentials: TestTeam().device()))) == .forNoTeam)
  }

  /// Another version may make names in another way. Its clients are named here, and told what strangers are told.
  @Test(arguments: [nil, "later", String(repeating: "a", count: 45)])
  func aClientOfAnotherVersionIsKnownWhateverItsName(name: String?) throws {
    let context = try TLSContext.server(credentials: [team.device()])
    for (protocols, greeting) in [
      (["baton/2"], .ofOtherVersion), (["baton-join/2", "http/1.1"], .ofOtherVersion), (["baton/1"], .forNoTeam),
      (["baton/2", "baton/1"], .forNoTeam), (["http/1.1"], .forNoTeam), ([], .forNoTeam),
    ] as [([String], Greeting)] {
      var behaviour = ForeignPeer.Behaviour()
      (behaviour.serverName, behaviour.protocols) = (name, protocols)
      let said = try ForeignPeer(behaviour, isServer: false).takeOutput()
      #expect(context.greeting(said) == greeting, "\(protocols)")
      let server = try TLSEngine(context)
      let error = #expect(throws: TLSError.self) { try server.receive(said) }
      #expect(error?.reason == (greeting == .forNoTeam ? .otherTeam : .versionMismatch), "\(protocols)")
      #expect(server.takeOutput() == Greeting.refusal)
    }
  }

  /// Devices that were removed have them, too.
  @Test func aNameUnderAKeyOfBeforeIsOfNoMember() throws {
    let (old, client) = (try team.device(), try team.device())
    func server(_ discoveryKey: [UInt8], _ previousKeys: [[UInt8]]) throws -> TLSContext {
      try .server(
        credentials: [
          Credentials(
            key: old.key,
            certificate: old.certificate,
            authority: old.authority,
            discoveryKey: discoveryKey,
            previousKeys: previousKeys
          )
        ]
      )
    }
    let said = try hello(of: .client(credentials: client))
    let newest = SystemRandom.bytes(32)
    #expect(try server(team.discoveryKey, [SystemRandom.bytes(32)]).greeting(said) == .forTeam(.member))
    #expect(try server(newest, [SystemRandom.bytes(32), team.discoveryKey]).greeting(said) == .forTeam(.outdated))
    // They are let in all the same: they may have been away.
    let session = try TLSEngine(server(newest, [team.discoveryKey]))
    try session.receive(said)
    #expect(session.pendingOutput > 100, "The certificate")
  }

  @Test func whatIsNoClientHelloIsKnownAtItsFirstByte() throws {
    let context = try TLSContext.server(credentials: [team.device()])
    for first in UInt8.min ... .max where first != 22 { #expect(context.greeting([first]) == .notTLS) }
    #expect(context.greeting([22, 3, 1, 0x10, 0x01]) == .notTLS, "One byte more than the limit")
    #expect(context.greeting([22, 3, 1, 0x10, 0x00]) == .incomplete)
    #expect(context.greeting([22, 3, 1, 0, 1, 1]) == .notTLS, "No message is so short")
  }

  @Test func noChangedByteLetsAStrangerIn() throws {
    let context = try TLSContext.server(credentials: [team.device()])
    let stranger = try hello(of: .client(credentials: TestTeam().device()))
    for index in stranger.indices {
      for bit in 0..<8 {
        var changed = stranger
        changed[index] ^= 1 << bit
        #expect(context.greeting(changed) != .forTeam(.member))
      }
    }
  }

  @Test func theRefusalIsWhatOpenSSLSays() throws {
    let pair = try SessionPair(client: TestTeam().device(), servers: [team.device()])
    #expect(Greeting.refusal == pair.sentByServer)
  }

  // MARK: Names that come late or twice

  @Test func aNameIsGoodOnce() throws {
    let (server, client) = (try team.device(), try team.device())
    let context = try TLSContext.server(credentials: [server])
    let recorded = try hello(of: .client(credentials: client))
    let first = try TLSEngine(context)
    try first.receive(recorded)
    #expect(first.pendingOutput > 100, "The certificate")
    for toleratesClocks in [false, true] {
      let second = try TLSEngine(context, toleratesClocks: toleratesClocks)
      let error = #expect(throws: TLSError.self) { try second.receive(recorded) }
      #expect(error?.reason == .otherTeam)
      #expect(second.takeOutput() == Greeting.refusal)
    }
  }

  @Test(arguments: [-601, -599, 0, 599, 601] as [Int64])
  func aNameIsGoodForTenMinutes(difference: Int64) throws {
    let (server, client) = (try team.device(), try team.device())
    let now = ServerName.now
    for (toleratesClocks, isGood) in [(false, abs(difference) <= 600), (true, true)] {
      let context = try TLSContext.server(
        credentials: [server],
        usedNames: UsedServerNames(now: { now + difference }, age: { 600 })
      )
      let session = try TLSEngine(context, toleratesClocks: toleratesClocks)
      try? session.receive(hello(of: .client(credentials: client)))
      #expect((session.takeOutput().count > 100) == isGood)
    }
  }

  /// A machine that is dialled learns nothing by dialling back with the name that it received.
  @Test(arguments: [false, true]) func aNameIsNoGoodAtItsMaker(isReturning: Bool) throws {
    let device = try team.device()
    let usedNames = UsedServerNames()
    let client = try TLSContext.client(credentials: device, usedNames: usedNames)
    let server = try TLSContext.server(credentials: [device], usedNames: usedNames)
    for expecting in try [nil, team.device().device] {
      let said = try TLSEngine(client, expecting: expecting, isReturning: isReturning).takeOutput()
      let session = try TLSEngine(server, toleratesClocks: true)
      #expect(throws: TLSError.self) { try session.receive(said) }
      #expect(session.takeOutput() == Greeting.refusal)
    }
    // However, a machine that dials itself finds that out, once.
    let said = try TLSEngine(client, isReturning: isReturning).takeOutput()
    for isFirst in [true, false] {
      let session = try TLSEngine(server, isOwn: true)
      try? session.receive(said)
      #expect((session.takeOutput() == Greeting.refusal) == !isFirst)
    }
  }

  @Test(arguments: [false, true]) func aNameForOneDeviceIsNoGoodAtAnother(isReturning: Bool) throws {
    let (client, first, second) = (try team.device(), try team.device(), try team.device())
    let said = try TLSEngine(.client(credentials: client), expecting: first.device, isReturning: isReturning)
      .takeOutput()
    for (device, isGood) in [(second, false), (first, true)] {
      let context = try TLSContext.server(credentials: [device])
      #expect(context.greeting(said) == (isGood ? .forTeam(isReturning ? .returning : .member) : .forNoTeam))
      let session = try TLSEngine(context, toleratesClocks: true)
      try? session.receive(said)
      let answer = session.takeOutput()
      #expect(isGood ? answer.count > 100 : answer == Greeting.refusal)
    }
  }

  /// Which names were used before the start is no longer known.
  @Test func aNameFromBeforeTheStartIsRefused() throws {
    let now: Int64 = 1_000_000
    for (age, difference, isGood) in [
      (0, 5, true), (0, 6, false), (100, 105, true), (100, 106, false), (9999, 600, true),
    ] {
      let used = UsedServerNames(now: { now }, age: { Int64(age) })
      let name = ServerName.Opened(nonce: SystemRandom.bytes(8), time: now - Int64(difference))
      let isTaken = used.take(name, as: .member, toleratesClocks: false)
      #expect(isTaken == isGood, "\(age) s after the start, \(difference) s old")
      #expect(used.take(name, as: .member, toleratesClocks: true) == !isGood)
    }
  }

  @Test func aClientShowsTheTimeThatTheServersClockDoes() throws {
    let (server, client) = (try team.device(), try team.device())
    let context = try TLSContext.server(
      credentials: [server],
      usedNames: UsedServerNames(now: { ServerName.now - 86_400 * 365 })
    )
    let session = try TLSEngine(context)
    try session.receive(TLSEngine(.client(credentials: client), clockOffset: -86_400 * 365).takeOutput())
    #expect(session.pendingOutput > 100)
  }

  private func name(_ number: Int, _ time: Int64) -> ServerName.Opened {
    ServerName.Opened(nonce: (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, time: time)
  }

  @Test(arguments: [ClientClaim.outdated, .returning, .joining])
  func usedNamesAreForgottenWhenTheyAreTooOld(claim: ClientClaim) {
    var now: Int64 = 1_000_000
    let used = UsedServerNames(now: { now }, age: { 600 })
    func take(_ number: Int, _ time: Int64) -> Bool { used.take(name(number, time), as: claim, toleratesClocks: false) }
    #expect(take(0, now + 600))
    for second in 0..<1300 {
      now = 1_000_000 + Int64(second)
      #expect(!take(0, 1_000_600), "After \(second) s")
    }
    // So many and no more; the oldest go first.
    for number in 1...UsedServerNames.usedServerNames { #expect(take(number, now)) }
    #expect(!take(1, now))
    #expect(take(UsedServerNames.usedServerNames + 1, now))
    #expect(take(1, now))
    #expect(!take(3, now))
  }

  /// Where a device was met the time of a name says nothing, as clocks may be wrong.
  @Test func aNameUnderTheNewestKeyIsGoodOnceHoweverMuchLater() {
    var now: Int64 = 1_000_000
    let used = UsedServerNames(now: { now }, age: { now - 1_000_000 })
    func take(_ number: Int, as claim: ClientClaim = .member) -> Bool {
      used.take(name(number, 1_000_000), as: claim, toleratesClocks: true)
    }
    #expect(take(0))
    for days in 1...100 {
      now = 1_000_000 + Int64(days) * 86_400
      #expect(!take(0), "After \(days) days")
    }
    // Nobody who has no newest key makes this machine forget it; so many other members do.
    for number in 1...UsedServerNames.usedServerNames { #expect(take(number, as: .outdated)) }
    #expect(!take(0))
    let others = UsedServerNames.usedServerNames + 1
    for number in others..<others + UsedServerNames.usedNamesOfMembers { #expect(take(number)) }
    #expect(take(0))
  }
}
