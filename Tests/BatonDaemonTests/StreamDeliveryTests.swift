// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// A stream is complete when the apps have read it, not when their sockets hold it (Protocol.md section 7).
  struct StreamDeliveryTests {
    @Test(arguments: [true, false])
    func anAppThatIsGoneWithBytesUnreadBreaksTheStream(isOrigin: Bool) throws {
      try withEnded(isOrigin) { writer, reader in
        _ = try reader.end.read(1000)
        reader.end.close()
        #expect(try reader.outcome.wait() == .streamReset)
        #expect(try writer.outcome.wait() == .streamReset)
      }
    }

    @Test(arguments: [true, false]) func anAppThatHasReadAllMayBeGone(isOrigin: Bool) throws {
      try withEnded(isOrigin) { writer, reader in
        let received = try reader.end.read(30_000)
        #expect(received == noise(30_000, seed: 31))
        reader.end.close()
        #expect(try reader.outcome.wait() == nil)
        #expect(try writer.outcome.wait() == nil)
      }
    }

    @Test(arguments: [true, false]) func aStreamIsNotOverBeforeItIsRead(isOrigin: Bool) throws {
      try withEnded(isOrigin) { writer, reader in
        var rest = 30_000
        while rest > 0 {
          // When another stream's bytes have arrived, so has what was said about this stream.
          try writer.pass()
          #expect(!reader.outcome.isSet)
          #expect(!writer.outcome.isSet)
          rest -= try reader.end.read(min(7000, rest)).count
        }
        #expect(try reader.outcome.wait() == nil)
        #expect(try writer.outcome.wait() == nil)
      }
    }

    /// The app's socket looks as if the app had finished.
    @Test(arguments: [true, false]) func anAppThatIsKilledBreaksTheStreamThoughNothingComes(hangsUpFirst: Bool) throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          var waiting: DescriptorOwner? = try hold(near, at: b)
          near.finish()
          #expect(try far.readAll().isEmpty)
          if hangsUpFirst {
            near.close()
            waiting = nil
          } else {
            waiting = nil
            try waitUntil("It is known") { try onLoop { b.daemon.shell.results.waiterCount == 0 } }
            near.close()
          }
          #expect(waiting == nil)
          #expect(try a.outcome(of: far) == .streamReset)
          #expect(try b.outcome(of: near) == .streamReset)
        }
      }
    }

    /// The app may be killed between the two calls.
    @Test func anAppThatSaysThatItAwaitsIsNotGoneByItsOwnWillBefore() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let id = note.id
          let opening = onThread { try b.openStream(id, awaits: true) }
          let far = try note.acceptStream()
          let near = try opening.wait()
          near.close()
          far.finish()
          try passBytes(note, a, b)
          #expect(!far.hasEnd)
          try clock.pass(StreamEndpoint.streamReturnTime)
          #expect(try a.outcome(of: far) == .streamReset)
        }
      }
    }

    /// The kernel closes the descriptors of a killed process one after the other, in no guaranteed order.
    @Test func theEndOfAnAppThatAwaitsIsNoFinishUntilItHadTimeToHangUp() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          var waiting: DescriptorOwner? = try hold(near, at: b)
          try near.write("half")
          near.close()
          #expect(try far.read(4) == Array("half".utf8))
          try passBytes(note, a, b)
          #expect(!far.hasEnd)
          waiting = nil
          #expect(waiting == nil)
          #expect(try a.outcome(of: far) == .streamReset)

          let (other, end) = try openStream(note, a, b)
          let staying = try hold(other, at: b)
          try other.write("all")
          other.close()
          #expect(try end.read(3) == Array("all".utf8))
          // By now, the end has arrived after the bytes, too.
          try passBytes(note, a, b)
          try clock.pass(StreamEndpoint.appExitTime)
          #expect(try end.readAll().isEmpty)
          end.finish()
          #expect(try a.outcome(of: end) == nil)
          _ = staying
        }
      }
    }
  }
}

/// An app's end of a stream, and the outcome that its daemon reports.
private struct Side {
  let end: StreamEnd
  let outcome: Outcome<Reason?>
  /// Sends bytes through another stream, so that what was said about this one has arrived, too.
  let pass: () throws -> Void
}

/// Runs `body` with a stream that both apps have ended, of which the reader has yet to read 30,000 bytes and the end.
///
/// - Parameter isOrigin: Whether the origin's app is the reader.
private func withEnded(_ isOrigin: Bool, _ body: (_ writer: Side, _ reader: Side) throws -> Void) throws {
  try withTwoDaemons { a, b in
    try withContinuation(a, b) { note in
      let (near, far) = try openStream(note, a, b)
      let sides = [(near, b), (far, a)].map { end, daemon in
        Side(end: end, outcome: onThread { try daemon.outcome(of: end) }) { try passBytes(note, a, b) }
      }
      try waitUntil("Both await the end") {
        try onLoop { a.daemon.shell.results.waiterCount + b.daemon.shell.results.waiterCount == 2 }
      }
      let (writer, reader) = isOrigin ? (sides[0], sides[1]) : (sides[1], sides[0])
      try writer.end.write(noise(30_000, seed: 31))
      writer.end.finish()
      reader.end.finish()
      #expect(try writer.end.readAll().isEmpty)
      try waitUntil("All has come") { reader.end.hasEnd }
      try body(writer, reader)
    }
  }
}

/// Sends bytes both ways over the session, after which everything sent before has arrived, too.
private func passBytes(_ note: Advertisement, _ a: DaemonFixture, _ b: DaemonFixture) throws {
  let (near, far) = try openStream(note, a, b)
  for (writer, reader) in [(near, far), (far, near)] {
    try writer.write("x")
    #expect(try reader.read(1).count == 1)
  }
}

/// Awaits the stream's end until the returned connection is released.
private func hold(_ end: StreamEnd, at daemon: DaemonFixture) throws -> DescriptorOwner {
  let call = "{\"method\":\"io.baton.Handoff.AwaitStream\",\"parameters\":{\"stream\":\"\(end.token)\"}}"
  let owner = try DescriptorOwner.calling(call, at: daemon)
  try waitUntil("It waits") { try onLoop { daemon.daemon.shell.results.isAwaited(end.token) } }
  return owner
}
