import Activity
import ControlInterface
import EventLoop
import Glibc
import PeerProtocol
import TestSupport
import Testing

extension DaemonTests {
  /// A member sends or connects more than there is time for.
  struct MemberFloodTests {
    @Test func messagesThatAreTooManyWait() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        try withTeam { a in
          let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
          try peer.becomeReady()
          let frame = Message.ping(Ping(number: 7)).frame
          let cost = 1 + Double(frame.count - 4) / 2048
          // The peer's hello and accepted were counted, too.
          let before = [RawPeer.hello(), .accepted(Accepted(version: 1))].map { 1 + Double($0.frame.count - 4) / 2048 }
          let burst = Int((Limits.peerMessageRate.burst - before.reduce(1, +)) / cost) + 1
          try peer.send(Array(repeatElement(frame, count: burst + 1000).joined()))
          func hearPongs(_ count: Int) throws {
            for _ in 0..<count {
              guard case .pong = try peer.next() else { throw TestFailure("No pong") }
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
    }

    /// Two other machines can still hand over, and a watcher is told the last state.
    @Test func othersGoOnBesideAFlood() async {
      await #expect(processExitsWith: .success) {
        try withTwoDaemons { a, b in
          nonisolated(unsafe) let flooder = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
          try flooder.becomeReady()
          let ids = (0..<64).map { ActivityID(randomBytes: (7, UInt64($0))) }
          let frames = try (0..<4096).map { number in
            let record = try ActivityRecord(id: ids[number % 64], activityType: "org.example.flood")
            return Message.offer(Offer(activity: record, counter: UInt64(number + 1))).frame
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
    }

    /// Data for streams that do not exist does not get around the limit.
    @Test func dataOfNoStreamIsCounted() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        try withTeam { a in
          let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
          try peer.becomeReady()
          let frame = RawPeer.dataFrame(stream: 99, offset: 0, [1])
          let ping = Message.ping(Ping(number: 7)).frame
          try peer.send(Array(repeatElement(frame, count: Int(Limits.peerMessageRate.burst)).joined()) + ping)
          for _ in 0..<3 { _ = try a.status() }
          #expect(!peer.hasInput, "It is not read any more")
          try clock.pass(.seconds(1))
          guard case .pong = try peer.next() else { throw TestFailure("No pong") }
        }
      }
    }

    @Test func sessionsThatAreTooManyAreRefused() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        try withTeam { a in
          let (flooder, other) = (try RawPeer.admitted(by: a), try RawPeer.admitted(by: a))
          for _ in 0..<Int(Limits.peerSessionRate.burst) {
            let peer = try RawPeer(flooder, port: a.port)
            try peer.becomeReady()
            peer.hangUp()
            try a.waitForSessions(0)
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
}
