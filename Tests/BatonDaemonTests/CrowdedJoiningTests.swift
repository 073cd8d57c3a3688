// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import Handoff
import TLS
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon
@testable import Teams

extension DaemonTests {
  /// A machine joins while strangers announce whatever they like, under names like those of the machine that invites.
  struct CrowdedJoiningTests {
    /// The strangers are seen first, and take every place that there is.
    @Test func silentStrangersDoNotStopAJoin() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (alpha, beta) = (machines[0], machines[1])
        let made = try alpha.createTeam()
        let code = try alpha.invite()
        guard let hidden = alpha.discovery, let viewer = beta.discovery else { throw TestFailure("No discovery") }
        try onLoop { network.hide(hidden, from: viewer) }
        let stranger = try SilentListener()
        for number in 0..<12 { try network.announce(code, [stranger.address(UInt8(number + 2))]) }
        let attempt = onThread { try beta.call(JoinTeam.self, JoinTeam.Parameters(code: code)).team.id }
        try waitUntil("As many as may be are asked at once") {
          try clock.pass(Limits.dialStep)
          return stranger.count == Joining.joinCalls
        }
        try onLoop { network.reveal() }
        try clock.pass(Joining.joinSilence)
        // Four strangers are left to ask, and alpha.
        for _ in 0..<5 { try clock.pass(Limits.dialStep) }
        #expect(try attempt.wait() == made.id)
        #expect(stranger.count <= 12)
      }
    }

    /// Neither the machine that joins nor the one that invites asks for anything of theirs.
    @Test func whoHasNotGivenOutTheCodeIsNotAsked() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, network in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        let made = try alpha.createTeam()
        _ = try gamma.createTeam()
        _ = try gamma.invite()
        let stranger = try SilentListener()
        for number in 0..<100 {
          let key = SystemRandom.bytes(32)
          let publication = ServiceInstance(instance: InstanceName.make(key: key), host: "h", port: 1, text: [])
          let addresses = [try stranger.address(UInt8(number + 2))]
          try onLoop { network.inject(publication, addresses: addresses) }
        }
        let code = try alpha.invite()
        #expect(try beta.call(JoinTeam.self, JoinTeam.Parameters(code: code)).team.id == made.id)
        try beta.waitForSessions(1)
        #expect(stranger.count == 0)
        let ports = [1, gamma.port]
        let strange = try onLoop { network.publications.filter { ports.contains($0.port) }.map(\.instance) }
        let asked = try onLoop { [alpha, beta].compactMap(\.discovery).flatMap(\.asked) }
        #expect(!asked.isEmpty && Set(asked).isDisjoint(with: strange))
      }
    }

    @Test func manyInstancesAtOneAddressAreAskedOnce() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let victim = try SilentListener()
        let address = try victim.address(2)
        let code = try machines[0].codeOfATeamThatIsGone()
        for _ in 0..<300 { try network.announce(code, [address]) }
        #expect(try machines[0].join(inVain: code, clock) == .handshakeTimedOut)
        #expect(victim.count == 1)
      }
    }

    /// Two joins run at the same time, and all the ports are on one machine.
    @Test func aMachineIsDialledSeldomHoweverManyPortsAreAnnounced() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let victim = try (0..<50).map { _ in try SilentListener() }
        let codes = try (0..<2).map { _ in try machines[0].codeOfATeamThatIsGone() }
        for (number, port) in victim.enumerated() { try network.announce(codes[number % 2], [port.address(2)]) }
        let attempts = codes.map { code in
          onThread { try machines[0].failure(of: JoinTeam.self, JoinTeam.Parameters(code: code)) }
        }
        try waitUntil("Both join") { try onLoop { machines[0].daemon.joinings.count == 2 } }
        for _ in 0..<100 { try clock.pass(.milliseconds(100)) }
        // One of the joins may have used all the dials that the rate allows, so that the other got none.
        let reasons = try attempts.map { try $0.wait() }
        #expect(reasons.contains(.handshakeTimedOut))
        let count = victim.reduce(0) { $0 + $1.count }
        let rate = DialLimits.dialsPerTargetRate
        let most = rate.burst + Joining.joinTime / .seconds(1) * rate.perSecond
        #expect(count > Int(rate.burst) && count <= Int(most), "\(count) connections")
      }
    }

    /// Anyone who knows the code can answer at several addresses. The joining machine sends it to one of them, and
    /// never again.
    @Test(arguments: [true, false]) func aCodeIsSaidOnce(isAnswered: Bool) throws {
      try withDaemons("alpha", "beta") { machines, network in
        let team = try machines[0].createTeam().id
        let code = InvitationCode(team: team)
        let listeners = try (0..<3).map { _ in try SilentListener() }
        for (number, listener) in listeners.enumerated() {
          try network.announce(code.text, [listener.address(UInt8(number + 2))])
        }
        let parameters = JoinTeam.Parameters(code: code.text)
        let attempt = onThread { try machines[1].failure(of: JoinTeam.self, parameters) }
        // All of them are connected before any of them sends anything.
        let connections = try listeners.map { try $0.accept() }
        let asked = connections.map { connection in
          onThread {
            let context = try TLSContext.server(
              credentials: [try RawPeer.admitted(by: machines[0])],
              joinable: [(team, code.serverNameKey)],
              invitation: { _, _ in code.keys.preSharedKey }
            )
            guard let peer = try? RawPeer(answering: connection, as: context),
              try peer.nextFrame()?.type == Join.frameType
            else { return false }
            isAnswered ? try peer.send(Refused(reason: .invitationExpired).frame) : peer.hangUp()
            return true
          }
        }
        #expect(try asked.map { try $0.wait() }.count { $0 } == 1)
        #expect(try attempt.wait() == (isAnswered ? .invitationExpired : .peerUnreachable))
        #expect(listeners.allSatisfy { $0.count == 0 }, "Nobody is asked again")
      }
    }

    /// Whoever knows the short Team ID can name the team as one that joins.
    @Test func aFloodOfOneSourceKeepsNobodyFromJoining() throws {
      _ = try ManualClock.install()
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let made = try machines[0].createTeam()
        let code = try machines[0].invite()
        let guess = try TLSContext.joining(code: InvitationCode(team: made.id))
        for _ in 0..<100 { _ = try? RawPeer(guess, port: machines[0].port, from: "127.0.0.2") }
        #expect(try machines[1].join(code, at: machines[0]).id == made.id)
      }
    }

    /// As a machine does where too many ask.
    @Test(arguments: [false, true]) func aMachineThatHangsUpIsAskedAgain(isNamed: Bool) throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let listener = try SilentListener()
        let address = try listener.address(2)
        let code = try machines[0].codeOfATeamThatIsGone()
        if !isNamed { try network.announce(code, [address]) }
        let parameters = JoinTeam.Parameters(code: code, address: isNamed ? address.description : nil)
        let attempt = onThread { try machines[0].failure(of: JoinTeam.self, parameters) }
        var count = 0
        try waitUntil("The attempt ends when its time has passed") {
          count += listener.hangUp()
          try clock.pass(.milliseconds(100))
          return attempt.isSet
        }
        #expect(try attempt.wait() == .peerUnreachable)
        let rate = DialLimits.dialsPerTargetRate
        let most = Int(rate.burst + Joining.joinTime / .seconds(1) * rate.perSecond) + (isNamed ? 1 : 0)
        #expect((most - 5...most).contains(count), "\(count) connections")
      }
    }

    @Test func aMachineThatHungUpMayAdmitLater() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let team = try machines[0].createTeam().id
        let code = InvitationCode(team: team)
        let listener = try SilentListener()
        let parameters = JoinTeam.Parameters(code: code.text, address: try listener.address(2).description)
        let attempt = onThread { try machines[1].failure(of: JoinTeam.self, parameters) }
        for _ in 0..<2 { close(try listener.accept()) }
        let context = try TLSContext.server(
          credentials: [try RawPeer.admitted(by: machines[0])],
          joinable: [(team, code.serverNameKey)],
          invitation: { _, _ in code.keys.preSharedKey }
        )
        let peer = try RawPeer(answering: listener.accept(), as: context)
        #expect(try peer.nextFrame()?.type == Join.frameType)
        try peer.send(Refused(reason: .invitationUsed).frame)
        #expect(try attempt.wait() == .invitationUsed)
      }
    }

    /// A refusal takes nothing, and a place is free when an attempt ends.
    @Test func onlySoManyJoinAtOnce() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, _ in
        let alpha = machines[0]
        let parameters = JoinTeam.Parameters(code: try alpha.codeOfATeamThatIsGone())
        func begin() -> Outcome<Reason> { onThread { try alpha.failure(of: JoinTeam.self, parameters) } }
        let limit = getuid() == 0 ? Limits.joinShare.total : Limits.joinShare.perUser
        let attempts = (0..<limit).map { _ in begin() }
        try waitUntil("All are under way") { try onLoop { alpha.daemon.joinings.count == limit } }
        for _ in 0..<2 { #expect(try begin().wait() == .limitReached) }
        try clock.pass(Joining.joinTime)
        for attempt in attempts { #expect(try attempt.wait() == .inviterNotFound) }
        let next = begin()
        try waitUntil("Another one is under way") { try onLoop { alpha.daemon.joinings.count == 1 } }
        try clock.pass(Joining.joinTime)
        #expect(try next.wait() == .inviterNotFound)
      }
    }

    @Test func whereAnAddressIsNamedNobodyElseIsAsked() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        let (named, stranger) = (try SilentListener(), try SilentListener())
        let code = try alpha.codeOfATeamThatIsGone()
        let parameters = JoinTeam.Parameters(code: code, address: try named.address(2).description)
        let attempt = onThread { try alpha.failure(of: JoinTeam.self, parameters) }
        try waitUntil("It is asked") { named.count == 1 }
        for number in 0..<3 { try network.announce(code, [stranger.address(UInt8(number + 3))]) }
        try waitUntil("The attempt ends when its time has passed") {
          try clock.pass(.milliseconds(500))
          return attempt.isSet
        }
        #expect(try attempt.wait() == .handshakeTimedOut)
        #expect((named.count, stranger.count) == (1, 0))
      }
    }
  }
}

extension DaemonFixture {
  /// Returns the reason for which joining with a code of nobody fails, once its time has passed.
  fileprivate func join(inVain code: String, _ clock: ManualClock) throws -> Reason {
    let attempt = onThread { try self.failure(of: JoinTeam.self, JoinTeam.Parameters(code: code)) }
    try waitUntil("The attempt ends when its time has passed") {
      try clock.pass(.milliseconds(500))
      return attempt.isSet
    }
    return try attempt.wait()
  }
}

extension FakeNetwork {
  /// Announces an instance that belongs to no daemon in this process, under a name of a machine that may have given out
  /// the code.
  fileprivate nonisolated func announce(_ code: String, _ addresses: [SocketAddress]) throws {
    let inviterKey = try InvitationCode(text: code).inviterKey
    let instance = InstanceName.make(key: SystemRandom.bytes(32), inviterKey: inviterKey)
    let publication = ServiceInstance(instance: instance, host: "h", port: addresses[0].port, text: [])
    try onLoop { self.inject(publication, addresses: addresses) }
  }
}
