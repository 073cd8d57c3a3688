// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct SessionTests {
    /// The time after which the daemon asks a raw peer, whose epoch is less than its own.
    private static let silence = PeerSession.pingInterval + PeerSession.pingCourtesy

    @Test func peersThatDialEachOtherAtOnceKeepOneSession() throws {
      try withTwoDaemons { a, b in
        for round in 0..<30 {
          try cutSessions(of: a, b)
          try onLoop {
            for machine in [a, b] {
              for peer in machine.daemon.peers.snapshot().map(\.id) { machine.daemon.peers.connect(to: peer) }
            }
          }
          try waitUntil("One session stays in round \(round)") {
            try onLoop {
              guard let near = a.daemon.peers.connections.first, let far = b.daemon.peers.connections.first else {
                return false
              }
              let entries = [a, b].flatMap { $0.daemon.peers.snapshot().map(\.entry) }
              return near.isDialler != far.isDialler && entries.allSatisfy { $0.opening.isEmpty && !$0.isDialling }
            }
          }
        }
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id, by: .session)
        #expect(try b.continueActivity(note.id).device == "alpha")
      }
    }

    @Test func aPeerThatIsSilentIsAskedAndThenLetGo() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        try a.waitForSessions(1)
        for round: UInt64 in 1...3 {
          try clock.pass(Self.silence)
          let number = try peer.hear("ping") { if case .session(.ping(let ping)) = $0 { ping.number } else { nil } }
          #expect(number == round)
          try clock.pass(PeerSession.pongTime - .milliseconds(1))
          try peer.send(Pong(number: number))
          // If the daemon answers this ping, everything sent before it has arrived.
          try peer.send(Ping(number: round))
          _ = try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong } else { nil } }
        }
        try clock.pass(Self.silence)
        _ = try peer.hear("ping") { if case .session(.ping(let ping)) = $0 { ping } else { nil } }
        try clock.pass(PeerSession.pongTime)
        #expect(try peer.farewell() == .peerTimedOut)
        try a.waitForSessions(0)
      }
    }

    @Test func aPeerThatDribblesAFrameIsSilent() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        try a.waitForSessions(1)
        try peer.send([0, 1, 0, 5])
        for _ in 0..<8 {
          try peer.send([0x20])
          _ = try a.status()
          try clock.pass((Self.silence + PeerSession.pongTime) / 8)
        }
        #expect(try peer.farewell() == .peerTimedOut)
      }
    }

    @Test func aPeerThatStopsReadingTakesItsStreamsAlong() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        let note = try a.advertiseFiles()
        try a.waitForSessions(1)
        let app = try peer.continueWithStream(note)
        try peer.send(Acknowledge(stream: peer.firstStream, progress: .init(received: 0, limit: .max)))
        // What the peer does not read stays in the kernels' buffers and in the queue, which is limited.
        let written = try app.writeUntilFull { _ = try a.status() }
        #expect(written < 32 << 20)
        try clock.pass(Self.silence)
        try clock.pass(PeerSession.pongTime)
        try a.waitForSessions(0)
        try clock.pass(Limits.streamResumeTime)
        #expect(try a.outcome(of: app) == .streamInterrupted)
        try clock.pass(.seconds(2))
      }
    }

    @Test func aPeerIsFoundOnItsLivingInstanceBesideADeadOne() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        // The records of a daemon that was killed stay for minutes.
        try onLoop {
          network.keepsWithdrawn = true
          for _ in 0..<2 { a.discovery?.tell(.addressesChanged) }
        }
        try waitUntil("They are there") { try onLoop { network.publications.count == 4 } }
        guard let seer = b.discovery, let seen = a.discovery else { throw TestFailure("No discovery") }
        // Only beta dials.
        try onLoop { network.hide(seer, from: seen) }
        for _ in 0..<3 {
          try cutSessions(of: a, b)
          try b.waitForSessions(1)
        }
      }
    }

    @Test func aSessionThatWasLostComesBack() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        Descriptors.cutConnections(ofPort: a.port)
        Descriptors.cutConnections(ofPort: b.port)
        try waitUntil("It comes back, and the offer with it") {
          try b.offers().contains { $0.id == note.id && $0.source == .session }
        }
        #expect(try b.continueActivity(note.id).device == "alpha")
      }
    }

    @Test func aConnectionOfATeamThatWasLeftBecomesNoSession() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let a = machines[0]
        _ = try a.createTeam("Left")
        _ = try a.createTeam("Kept")
        let member = try RawPeer.admitted(by: a, team: "Left")
        let peer = try RawPeer(member, port: a.port, finishes: false)
        _ = try a.call(LeaveTeam.self, LeaveTeam.Parameters(team: "Left"))
        try peer.send(RawPeer.hello())
        #expect(try peer.next() == nil)
        #expect(try onLoop { a.daemon.peers.snapshot().isEmpty })
      }
    }

    @Test func aDaemonMayBeStoppedTwice() throws {
      try withTwoDaemons { a, _ in
        let stopped = Outcome<Bool>()
        try onLoop {
          a.daemon.stop { stopped.set(.success(true)) }
          a.daemon.stop { stopped.set(.success(false)) }
        }
        #expect(try stopped.wait())
      }
    }

    @Test func aSecondDaemonDoesNotTakeTheFirstOnesSocket() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        #expect(startError(in: machines[0].directory) == .alreadyRunning)
        let status = try machines[0].status()
        #expect(status.device == "alpha")
      }
    }

    @Test func teamsAndEpochOutliveTheDaemon() throws {
      try withTwoDaemons { a, b in
        try a.stop()
        try b.waitForSessions(0)
        let network = try FakeNetwork.make()
        let again = try DaemonFixture("alpha", network: network, directory: a.directory)
        #expect(try again.status().teams.map(\.name) == ["Demo"])
        let note = try again.advertise(ControlActivity(activityType: "org.example.notes"))
        #expect(try again.status().current?.id == note.id)
        try again.stop()
      }
    }
  }
}

private func startError(in directory: String) -> DaemonError.Code? {
  (thrown { try DaemonFixture("again", network: nil, directory: directory) } as? DaemonError)?.code
}
