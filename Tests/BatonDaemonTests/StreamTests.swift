// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import JSONCoding
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct StreamTests {
    @Test func bothDirectionsCarryMegabytesAtOnce() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          let (there, back) = (noise(6 << 20, seed: 1), noise(5 << 20, seed: 2))
          let work = [
            onThread {
              try near.write(there)
              near.finish()
              return true
            },
            onThread {
              try far.write(back)
              far.finish()
              return true
            },
            onThread { try far.readAll() == there },
            onThread { try near.readAll() == back },
          ]
          for item in work { #expect(try item.wait()) }
          #expect(try b.outcome(of: near) == nil)
          #expect(try a.outcome(of: far) == nil)
          try waitUntil("No stream is open") { try a.status().streams + b.status().streams == 0 }
        }
      }
    }

    @Test(arguments: [true, false])
    func oneDirectionEndsAndTheOtherGoesOn(theOpenerEndsFirst: Bool) throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let ends = try openStream(note, a, b)
          let (first, second) = theOpenerEndsFirst ? ends : (ends.1, ends.0)
          try first.write("question")
          first.finish()
          #expect(try second.readAll() == Array("question".utf8))
          try second.write("answer")
          #expect(try first.read(6) == Array("answer".utf8))
          try second.write(", and more")
          second.finish()
          #expect(try first.readAll() == Array(", and more".utf8))
          #expect(try b.outcome(of: ends.0) == nil)
          #expect(try a.outcome(of: ends.1) == nil)
        }
      }
    }

    @Test func aStreamMayBeEmpty() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          near.finish()
          far.finish()
          #expect(try near.readAll().isEmpty)
          #expect(try far.readAll().isEmpty)
          #expect(try b.outcome(of: near) == nil)
        }
      }
    }

    @Test func aReaderThatStopsHoldsUpItsOwnStreamOnly() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let stuck = try openStream(note, a, b)
          let written = try stuck.0.writeUntilFull { _ = try a.status() }
          // The window, and the socket buffers of both apps.
          #expect(written >= Int(Limits.streamWindow))
          #expect(written < Int(Limits.streamWindow) + 1_000_000)

          let (near, far) = try openStream(note, a, b)
          let data = noise(2 << 20, seed: 4)
          let writing = onThread {
            try near.write(data)
            near.finish()
            return true
          }
          #expect(try far.readAll() == data)
          #expect(try writing.wait())
          let page = try b.advertise(ControlActivity(activityType: "org.example.pages"))
          try a.waitForOffer(page.id)
          _ = try a.continueActivity(page.id)

          // And it goes on where it stopped.
          stuck.0.finish()
          #expect(try stuck.1.readAll().count == written)
        }
      }
    }

    @Test func anAppThatLeavesEarlyBreaksTheStream() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          far.hangUp()
          // Nobody reads what this side says, which shows when it is delivered.
          let writing = onThread {
            let block = noise(64 << 10, seed: 5)
            while true { try near.write(block) }
          }
          #expect(thrown { try writing.wait() } is TestFailure)
          #expect(try b.outcome(of: near) == .streamReset)
          #expect(try a.outcome(of: far) == .streamReset)
        }
      }
    }

    @Test func aDaemonThatStopsLetsItsStreamsFinish() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          try near.write("the last words")
          let stopping = onThread {
            try a.stop()
            return true
          }
          try waitUntil("It stops") { try onLoop { a.daemon.isStopping } }
          near.finish()
          far.finish()
          #expect(try far.readAll() == Array("the last words".utf8))
          #expect(try b.outcome(of: near) == nil)
          #expect(try stopping.wait())
        }
      }
    }

    @Test func aDaemonThatStopsDoesNotWaitForEver() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, _) = try openStream(note, a, b)
          let stopping = onThread {
            try a.stop()
            return true
          }
          try waitUntil("It stops") { try onLoop { a.daemon.isStopping } }
          #expect(try b.status().streams == 1)
          try clock.pass(Limits.stopTime)
          #expect(try b.outcome(of: near) == .shuttingDown)
          try waitUntil("It has stopped") {
            try clock.pass(.seconds(1))
            return stopping.isSet
          }
        }
      }
    }

    /// What the peer has not read yet is as much as the queues take, and the daemon's end does not throw it away.
    @Test func aDaemonThatStopsIsHeardByAPeerThatReadsLate() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        let note = try a.advertiseFiles()
        let app = try peer.continueWithStream(note)
        try peer.send(Acknowledge(stream: peer.firstStream, progress: .init(received: 0, limit: .max)))
        _ = try app.writeUntilFull { _ = try a.status() }
        let stopping = onThread {
          try a.stop()
          return true
        }
        try waitUntil("It stops") { try onLoop { a.daemon.isStopping } }
        try clock.pass(Limits.stopTime)
        try waitUntil("It has given the stream up") { try onLoop { a.daemon.peers.connections.isEmpty } }
        let reset = try peer.hear("reset") { if case .stream(.reset(let reset)) = $0 { reset } else { nil } }
        #expect(reset.stream == peer.firstStream && reset.reason == .shuttingDown)
        #expect(!stopping.isSet)
        #expect(try peer.farewell() == .shuttingDown)
        #expect(try peer.next() == nil)
        peer.hangUp()
        #expect(try stopping.wait())
      }
    }

    @Test func anAppThatDoesNotAcceptTimesOut() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let id = note.id
          let opening = onThread { try reason { try b.openStream(id) } }
          let token = try note.expect(.streamRequested).stream ?? ""
          try clock.pass(Limits.streamAcceptTime)
          #expect(try opening.wait() == .appTimedOut)
          #expect(try reason { try a.acceptStream(token) } == .streamNotFound)
        }
      }
    }

    @Test func whoDoesNotWaitAnyMoreGetsNoStream() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          // A client that asks, and leaves before the app answers.
          var asking: DescriptorOwner? = try DescriptorOwner.calling(
            "{\"method\":\"io.baton.Handoff.OpenStream\",\"upgrade\":true,\"parameters\":{\"activity\":\"\(note.id)\"}}",
            at: b
          )
          let token = try note.expect(.streamRequested).stream ?? ""
          #expect(asking != nil)
          asking = nil
          try waitUntil("The app cannot accept") {
            do {
              let end = try a.acceptStream(token)
              // It was accepted before the opener was known to be gone: then it breaks.
              return try a.outcome(of: end) != nil
            } catch { return try reason { try a.acceptStream(token) } == .streamNotFound }
          }
          try waitUntil("No stream is open") { try a.status().streams + b.status().streams == 0 }
        }
      }
    }

    @Test func onlyWhoContinuedOpensStreamsAndOnlyWhereTheyAreSupported() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        #expect(try reason { try b.openStream(note.id) } == .activityNotFound)
        _ = try b.continueActivity(note.id)
        #expect(try reason { try b.openStream(note.id) } == .streamsNotSupported)
        #expect(try reason { try a.acceptStream("1") } == .streamNotFound)
        let unknown = AwaitStream.Parameters(stream: "stream-1")
        #expect(try a.failure(of: AwaitStream.self, unknown) == .streamNotFound)
      }
    }

    @Test func aPeerMayHaveOnlySoManyStreams() throws {
      try withTwoDaemons(configuration: ["alpha": "[Memory]\nStreams=4M\n"]) { a, b in
        try withContinuation(a, b) { note in
          var ends = try (0..<StreamBudget(memory: 4 << 20).streamsPerPeer).map { _ in try openStream(note, a, b) }
          let id = note.id
          let more = onThread { try reason { try b.openStream(id) } }
          let token = try note.expect(.streamRequested).stream ?? ""
          #expect(try reason { try a.acceptStream(token) } == .streamLimitReached)
          #expect(try more.wait() == .streamLimitReached)
          // One that ends makes room.
          let (near, far) = ends.removeLast()
          near.finish()
          far.finish()
          #expect(try b.outcome(of: near) == nil)
          try waitUntil("The origin is done with it too") { try a.status().streams == ends.count }
          try roundTrip(try openStream(note, a, b))
        }
      }
    }

    @Test func clientsThatWaitForAStreamAndLeaveAreForgotten() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, _) = try openStream(note, a, b)
          let call = "{\"method\":\"io.baton.Handoff.AwaitStream\",\"parameters\":{\"stream\":\"\(near.token)\"}}"
          for _ in 0..<20 { _ = try DescriptorOwner.calling(call, at: b) }
          let staying = try DescriptorOwner.calling(call, at: b)
          try waitUntil("One waits") { try onLoop { b.daemon.shell.results.waiterCount == 1 } }
          _ = staying
        }
      }
    }
  }
}

/// Runs `body` with an activity of `a` that supports streams and that `b` has continued.
func withContinuation(
  _ a: DaemonFixture,
  _ b: DaemonFixture,
  _ body: (Advertisement) throws -> Void
) throws {
  let advertisement = try a.advertiseFiles()
  try b.waitForOffer(advertisement.id, by: .session)
  _ = try b.continueActivity(advertisement.id)
  try advertisement.expect(.continued)
  try body(advertisement)
}

/// Opens a stream from `b` to the app on `a`.
///
/// - Returns: The end on `b`, which opened, and the end on `a`.
func openStream(
  _ advertisement: Advertisement,
  _ a: DaemonFixture,
  _ b: DaemonFixture
) throws -> (StreamEnd, StreamEnd) {
  let id = advertisement.id
  let opening = onThread { try b.openStream(id) }
  let far = try advertisement.acceptStream()
  return (try opening.wait(), far)
}

private func roundTrip(_ ends: (StreamEnd, StreamEnd)) throws {
  try ends.0.write("there")
  #expect(try ends.1.read(5) == Array("there".utf8))
  try ends.1.write("back")
  #expect(try ends.0.read(4) == Array("back".utf8))
}
