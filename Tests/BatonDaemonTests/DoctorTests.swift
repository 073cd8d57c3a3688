// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import Handoff
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct DoctorTests {
    @Test func twoMachinesThatAreWellPass() throws {
      try withTwoDaemons { a, b in
        for machine in [a, b] {
          let findings = try machine.diagnose()
          #expect(findings.filter { $0.outcome == .failed } == [])
          for check in [.team, .certificate, .bus, .avahi, .interfaces, .multicast, .port, .peer, .clock]
            as [Diagnose.Check]
          {
            #expect(findings.first { $0.check == check }?.outcome == .passed, "\(check)")
          }
          // Clients report on the daemon and on the user's own programs themselves.
          let others: Set<Diagnose.Check> = [
            .system, .daemon, .firewall, .search, .browser, .shell, .editor, .clipboard, .files, .notifications,
          ]
          #expect(findings.map(\.check) == Diagnose.Check.allCases.filter { !others.contains($0) })
        }
      }
    }

    @Test func theDoctorKnowsThatALauncherIsIncomplete() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        func found() throws -> Reason? { try b.diagnose().first { $0.check == .application }?.reason }
        #expect(try found() == .applicationNotFound)
        let parameters = RegisterLauncher.Parameters(activityTypes: ["a.b"], isIncomplete: true)
        var launcher = try b.connect().replies(of: RegisterLauncher.self, parameters)
        #expect(try launcher.next(until: .now + patience)?.event == .registered)
        #expect(try found() == .limitReached)
        withExtendedLifetime((note, launcher)) {}
      }
    }

    @Test func aUserWithoutATeamIsToldSo() throws {
      try withDaemons("alpha") { machines, _ in
        let findings = try machines[0].diagnose()
        #expect(findings.first { $0.outcome == .failed }?.reason == .teamNotFound)
        #expect(findings.last?.check == .offer)
      }
    }

    @Test func whatDiscoverySeesIsJudged() throws {
      try withDaemons("alpha") { machines, _ in
        let (alpha, discovery) = (machines[0], try #require(machines[0].discovery))
        _ = try alpha.createTeam()
        func first(_ change: @escaping @Loop @Sendable (inout Examination) -> Void) throws -> Reason? {
          try onLoop {
            discovery.examination = FakeDiscovery.well
            change(&discovery.examination)
          }
          return try alpha.diagnose().first { $0.outcome == .failed }?.reason
        }
        #expect(try first { $0.failure = .init(.busUnavailable, "refused") } == .busUnavailable)
        #expect(try first { $0.failure = .init(.discoveryUnavailable, "") } == .discoveryUnavailable)
        #expect(try first { $0.interfaces[0].isUsed = false } == .interfaceExcluded)
        #expect(try first { $0.interfaces[0].hasMulticast = false } == .multicastBlocked)
        #expect(try first { $0.interfaces[0].multicasts = [.notHeard] } == .multicastBlocked)
        // If everything else is fine, the finding is that there is no other peer.
        #expect(try first { _ in } == .peerNotFound)
      }
    }

    @Test func aDaemonWithoutDiscoveryIsNoFailureOfAvahi() throws {
      try withTeam { a in
        let findings = try a.diagnose()
        #expect(findings.first { $0.check == .bus }?.outcome == .skipped)
        #expect(findings.first { $0.check == .avahi }?.outcome == .note)
        #expect(findings.first { $0.check == .multicast }?.outcome == .skipped)
      }
    }

    @Test func whoIsConnectedAndNotSeenTellsOfMulticast() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        let (from, to) = (try #require(a.discovery), try #require(b.discovery))
        try onLoop { network.hide(from, from: to) }
        try connect([a, b])
        try waitUntil("The session is old enough") {
          try b.diagnose().first { $0.outcome == .failed }?.reason == .multicastBlocked
        }
        #expect(try a.diagnose().first { $0.check == .multicast }?.outcome == .passed)
      }
    }

    @Test func apeerIsNamedByNameAndDigits() throws {
      try withTwoDaemons { a, b in
        let device = try #require(try a.peers().first).deviceID
        for text in ["beta", "BETA", device.description, String(device.text.prefix(4)).lowercased()] {
          let finding = try a.diagnose(text).first { $0.check == .peer }
          #expect(finding?.outcome == .passed, "\(text)")
        }
        #expect(try a.diagnose("tower.invalid").first { $0.check == .peer }?.reason == .peerNotFound)
        #expect(try a.diagnose(":").first { $0.check == .peer }?.reason == .addressInvalid)
      }
    }

    @Test func anAddressIsReachedWithoutEndingTheSession() throws {
      try withTwoDaemons { a, b in
        let before = try (a.status().counters[.sessionsBegun], b.status().counters[.sessionsBegun])
        #expect(
          try a.diagnose(b.address).first { $0.check == .peer }?.detail == "\(b.address) is beta, and it's responding."
        )
        #expect(try a.diagnose(a.address).first { $0.check == .peer }?.outcome == .note, "It is itself")
        #expect(try (a.status().counters[.sessionsBegun], b.status().counters[.sessionsBegun]) == before)
        #expect(try a.status().sessions == 1 && b.status().sessions == 1)
      }
    }

    @Test func whatAnswersAtAnAddressIsNamed() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        _ = try machines[0].createTeam("One")
        _ = try machines[1].createTeam("Two")
        func reason(_ address: String) throws -> Reason? {
          try machines[0].diagnose(address).first { $0.check == .peer }?.reason
        }
        #expect(try reason(machines[1].address) == .otherTeam)
        #expect(try reason("127.0.0.1:1") == .peerUnreachable)
      }
    }

    @Test func aPortThatTheOtherMachineCannotReachIsClosed() throws {
      try withTeam { a in
        let credentials = try RawPeer.admitted(by: a)
        let peer = try RawPeer(credentials, port: a.port)
        try peer.becomeReady()
        try a.waitForSessions(1)
        let findings = onThread { try a.diagnose() }
        let probe = try peer.hear("the probe") { if case .session(.probe(let probe)) = $0 { probe } else { nil } }
        #expect(probe.port == a.port)
        try peer.send(Probed(number: probe.number + 1))
        try peer.send(Probed(number: probe.number, reason: .peerUnreachable))
        #expect(try findings.wait().first { $0.outcome == .failed }?.reason == .portClosed)
        // The peer is not asked again so soon. Another diagnosis takes about as long on a busy machine.
        let answer = try onLoop { ProberAnswer() }
        try onLoop {
          guard let id = a.daemon.peers.connections.first?.peer else { throw TestFailure("No session") }
          a.daemon.prober.ask(id, port: a.port) { answer.value = $0 }
        }
        try waitUntil("It is answered") { try onLoop { answer.value != nil } }
        #expect(try onLoop { answer.value } == .notReached(.peerUnreachable))
      }
    }

    @Test func aProbeIsAnsweredOnceInAWhile() throws {
      try withMember { a, peer in
        let listener = DescriptorOwner(try Sockets.listen(port: 0))
        let port = try #require(Sockets.localAddress(of: listener.descriptor)).port
        func answer(_ number: UInt64, _ port: UInt16) throws -> Probed {
          try peer.send(Probe(number: number, port: port))
          return try peer.hear("the answer") { if case .session(.probed(let probed)) = $0 { probed } else { nil } }
        }
        #expect(try answer(7, port) == Probed(number: 7))
        #expect(try answer(8, port) == Probed(number: 8, reason: .limitReached))
      }
    }

    @Test func aProbeOfASystemsPortIsRefused() throws {
      try withMember { a, peer in
        try peer.send(Probe(number: 1, port: 22))
        let probed = try peer.hear("the answer") { if case .session(.probed(let probed)) = $0 { probed } else { nil } }
        #expect(probed == Probed(number: 1, reason: .addressInvalid))
      }
    }

    @Test func clocksThatDifferAreNoticed() throws {
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        let late = UInt64(time(nil) - 3600)
        try peer.send(
          Hello(minimum: 1, maximum: 1, device: "gamma", epoch: 1, revocations: 0, time: late)
        )
        try peer.send(Accepted(version: 1))
        try a.waitForSessions(1)
        let findings = onThread { try a.diagnose() }
        let probe = try peer.hear("the probe") { if case .session(.probe(let probe)) = $0 { probe } else { nil } }
        try peer.send(Probed(number: probe.number))
        let clock = try findings.wait().first { $0.check == .clock }
        #expect(clock?.reason == .clockSkewed && clock?.detail.contains("gamma is 60 minutes behind") == true)
      }
    }

    @Test func anAppThatDoesNotAnswerIsRemembered() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.reading")
        activity.needsSave = true
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id, by: .session)
        #expect(try b.failure(of: Continue.self, Continue.Parameters(id: note.id)) == .appTimedOut)
        #expect(try b.diagnose().first { $0.outcome == .failed }?.reason == .appTimedOut)
        #expect(try b.diagnose().first { $0.check == .application }?.reason == .applicationNotFound)
        activity.needsSave = false
        try note.update(activity)
        _ = try b.continueActivity(note.id)
        #expect(try b.diagnose().first { $0.check == .continuation }?.outcome == .passed, "It came after all")
      }
    }

    @Test func onlySoManyAtOnce() throws {
      try withMember { a, peer in
        try a.waitForSessions(1)
        // The diagnoses wait for the peer, which does not answer.
        var waiting: [ControlReplies<Diagnose>] = []
        for _ in 0..<Limits.diagnosisShare.total {
          var replies = try a.connect().replies(of: Diagnose.self, Diagnose.Parameters())
          #expect(try replies.next(until: .now + patience)?.check == .team)
          waiting.append(replies)
        }
        #expect(try reason { try a.diagnose() } == .limitReached)
        waiting = []
        try waitUntil("They end by themselves") {
          try onLoop { a.daemon.control.doctors.isEmpty }
        }
      }
    }
  }
}

extension DaemonFixture {
  fileprivate func diagnose(_ peer: String? = nil) throws -> [Diagnose.Reply] {
    var replies = try connect().replies(of: Diagnose.self, Diagnose.Parameters(peer: peer))
    var findings: [Diagnose.Reply] = []
    while let finding = try replies.next(until: .now + patience) { findings.append(finding) }
    return findings
  }
}

/// What a prober has answered.
@Loop
private final class ProberAnswer {
  var value: Prober.Answer?
}
