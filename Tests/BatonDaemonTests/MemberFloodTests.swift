// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import Synchronization
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// A member sends or connects more than there is time for.
  struct MemberFloodTests {
    @Test func messagesThatAreTooManyWait() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try peer.becomeReady()
        let frame = Ping(number: 7).frame
        let cost = 1 + Double(frame.count - 4) / 2048
        // The peer's hello and accepted were counted, too.
        let before = [RawPeer.hello().frame, Accepted(version: 1).frame].map { 1 + Double($0.count - 4) / 2048 }
        let burst = Int((MessageBudget.peerMessageRate.burst - before.reduce(1, +)) / cost) + 1
        #expect(burst > 100)
        try peer.send(Array(repeatElement(frame, count: burst + 1000).joined()))
        func hearPongs(_ count: Int) throws {
          for _ in 0..<count {
            guard case .session(.pong) = try peer.next() else { throw TestFailure("No pong") }
          }
        }
        try hearPongs(burst)
        // Others still get answers.
        for _ in 0..<3 { _ = try a.status() }
        #expect(!peer.hasInput)
        try clock.pass(.seconds(1))
        try hearPongs(1000)
        #expect(!peer.hasInput)
      }
    }

    /// What a peer says beyond its budget waits in its own socket: the daemon takes in no more than it answers.
    @Test func aPeerThatWaitsIsNotReadAhead() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        nonisolated(unsafe) let flooder = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try flooder.becomeReady()
        let sent = Atomic(0)
        let frames = Array(repeatElement(Ping(number: 7).frame, count: 256).joined())
        // Until it is hung up on.
        let flood = onThread {
          while true {
            try flooder.send(frames)
            sent.add(frames.count, ordering: .relaxed)
          }
        }
        for _ in 0..<2000 { try clock.pass(.milliseconds(10)) }
        // 2,000 batches of 20 messages, and what both kernels keep. Reading first would read 32 MB.
        #expect(sent.load(ordering: .relaxed) < 16_000_000)
        flooder.hangUp()
        #expect(throws: (any Error).self) { try flood.wait() }
      }
    }

    /// A new session is no new budget.
    @Test func theBudgetOfMessagesIsThePeers() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let credentials = try RawPeer.admitted(by: a)
        let peer = try RawPeer(credentials, port: a.port)
        try peer.becomeReady()
        let ping = Ping(number: 7).frame
        // Almost all of it: otherwise, the daemon would not read that the peer has hung up. The next session begins
        // with two messages.
        let count = Int(MessageBudget.peerMessageRate.burst) - 5
        try peer.send(Array(repeatElement(ping, count: count).joined()))
        for _ in 0..<count { guard case .session(.pong) = try peer.next() else { throw TestFailure("No pong") } }
        peer.hangUp()
        try a.waitForSessions(0)
        let next = try RawPeer(credentials, port: a.port)
        try next.send(RawPeer.hello())
        guard case .session(.hello) = try next.next() else { throw TestFailure("No hello") }
        guard case .session(.accepted) = try next.next() else { throw TestFailure("No accepted") }
        try next.send(Accepted(version: 1))
        try next.send(ping)
        for _ in 0..<3 { _ = try a.status() }
        #expect(!next.hasInput, "It is not read any more")
        try clock.pass(.seconds(1))
        guard case .session(.pong) = try next.next() else { throw TestFailure("No pong") }
      }
    }

    /// A pair goes on handing over, and whoever watches is told the last.
    @Test func othersGoOnBesideAFlood() throws {
      try withTwoDaemons { a, b in
        nonisolated(unsafe) let flooder = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try flooder.becomeReady()
        let ids = (0..<64).map { ActivityID(randomBytes: (7, UInt64($0))) }
        let frames = try (0..<4096).map { number in
          let record = try ActivityRecord(id: ids[number % 64], activityType: "org.example.flood")
          return Offer(activity: record, counter: UInt64(number + 1)).frame
        }
        // This goes on until the flooder hangs up.
        let flood = onThread { while true { for frame in frames { try flooder.send(frame) } } }
        for number in 0..<20 {
          let note = try a.advertise(ControlActivity(activityType: "org.example.note\(number)"))
          try b.waitForOffer(note.id, by: .session)
          #expect(try b.continueActivity(note.id).device == "alpha")
          let page = try b.advertise(ControlActivity(activityType: "org.example.page\(number)"))
          try a.waitForOffer(page.id, by: .session)
        }
        flooder.hangUp()
        #expect(throws: (any Error).self) { try flood.wait() }
        #expect(try a.offers().count(where: { $0.activityType == "org.example.flood" }) <= Limits.offersPerPeer)
      }
    }

    /// Data for streams that do not exist does not get around the limit.
    @Test func dataOfNoStreamIsCounted() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try peer.becomeReady()
        let frame = RawPeer.dataFrame(stream: 99, offset: 0, [1])
        let ping = Ping(number: 7).frame
        let flood = Array(repeatElement(frame, count: Int(MessageBudget.peerMessageRate.burst)).joined())
        try peer.send(ping + flood + ping)
        guard case .session(.pong) = try peer.next() else { throw TestFailure("No pong") }
        _ = try a.status()
        #expect(!peer.hasInput, "It is not read any more")
        try clock.pass(.seconds(1))
        guard case .session(.pong) = try peer.next() else { throw TestFailure("No pong") }
      }
    }

    @Test func sessionsThatAreTooManyAreRefused() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let (flooder, other) = (try RawPeer.admitted(by: a), try RawPeer.admitted(by: a))
        // Where nobody was met, fewer handshakes would be let in.
        let resident = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try resident.becomeReady()
        try a.waitForSessions(1)
        for _ in 0..<Int(PeerConduct.peerSessionRate.burst) {
          let peer = try RawPeer(flooder, port: a.port)
          try peer.becomeReady()
          peer.hangUp()
          try a.waitForSessions(1)
        }
        let refused = try RawPeer(flooder, port: a.port)
        #expect(throws: (any Error).self) { try refused.becomeReady() }
        try RawPeer(other, port: a.port).becomeReady()
        try clock.pass(.seconds(1))
        try RawPeer(flooder, port: a.port).becomeReady()
      }
    }
  }
}
