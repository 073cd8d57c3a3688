import Activity
import TestSupport
import Testing

@testable import Daemon

extension DaemonTests {
  /// A stream is whole when the apps have read it, not when their sockets hold it (Protocol.md section 7).
  struct StreamDeliveryTests {
    @Test(arguments: [true, false])
    func anAppThatIsGoneWithBytesUnreadBreaksTheStream(isOrigin: Bool) async {
      await #expect(processExitsWith: .success) { [isOrigin] in
        try withEnded(isOrigin) { writer, reader in
          _ = try reader.end.read(1000)
          reader.end.close()
          #expect(try reader.outcome.wait() == .streamReset)
          #expect(try writer.outcome.wait() == .streamReset)
        }
      }
    }

    @Test(arguments: [true, false]) func anAppThatHasReadAllMayBeGone(isOrigin: Bool) async {
      await #expect(processExitsWith: .success) { [isOrigin] in
        try withEnded(isOrigin) { writer, reader in
          let received = try reader.end.read(30_000)
          #expect(received == noise(30_000, seed: 31))
          reader.end.close()
          #expect(try reader.outcome.wait() == nil)
          #expect(try writer.outcome.wait() == nil)
        }
      }
    }

    @Test(arguments: [true, false]) func aStreamIsNotOverBeforeItIsRead(isOrigin: Bool) async {
      await #expect(processExitsWith: .success) { [isOrigin] in
        try withEnded(isOrigin) { writer, reader in
          var rest = 30_000
          while rest > 0 {
            // What was said of the stream has come when another stream's bytes have.
            try writer.pass()
            #expect(!reader.outcome.isSet)
            #expect(!writer.outcome.isSet)
            rest -= try reader.end.read(min(7000, rest)).count
          }
          #expect(try reader.outcome.wait() == nil)
          #expect(try writer.outcome.wait() == nil)
        }
      }
    }

    /// Its socket looks as if it had finished.
    @Test(arguments: [true, false]) func anAppThatIsKilledBreaksTheStreamThoughNothingComes(hangsUpFirst: Bool) async {
      await #expect(processExitsWith: .success) { [hangsUpFirst] in
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
    }

    /// It may be killed between the two calls.
    @Test func anAppThatSaysThatItAwaitsIsNotGoneByItsOwnWillBefore() async {
      await #expect(processExitsWith: .success) {
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
            try clock.pass(Limits.streamReturnTime)
            #expect(try a.outcome(of: far) == .streamReset)
          }
        }
      }
    }

    /// The kernel closes what a killed process has open one after the other, in no order that is promised.
    @Test func theEndOfAnAppThatAwaitsIsNoFinishUntilItHadTimeToHangUp() async {
      await #expect(processExitsWith: .success) {
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
            // By now the end has come after the bytes, too.
            try passBytes(note, a, b)
            try clock.pass(Limits.appExitTime)
            #expect(try end.readAll().isEmpty)
            end.finish()
            #expect(try a.outcome(of: end) == nil)
            _ = staying
          }
        }
      }
    }
  }
}

/// An app's end of a stream, and how the stream ends as its daemon says.
private struct Side {
  let end: StreamEnd
  let outcome: Outcome<Reason?>
  /// Lets bytes go through another stream, and with them what was said of this one.
  let pass: () throws -> Void
}

/// Runs `body` with a stream that both apps have ended, and of which the reader has 30,000 bytes and the end to read.
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

/// Lets bytes go to and fro over the session: what was sent before them has come, too.
private func passBytes(_ note: Advertisement, _ a: DaemonFixture, _ b: DaemonFixture) throws {
  let (near, far) = try openStream(note, a, b)
  for (writer, reader) in [(near, far), (far, near)] {
    try writer.write("x")
    #expect(try reader.read(1).count == 1)
  }
}

/// Awaits the stream's end, until the connection that is returned goes.
private func hold(_ end: StreamEnd, at daemon: DaemonFixture) throws -> DescriptorOwner {
  let call = "{\"method\":\"io.baton.Handoff.AwaitStream\",\"parameters\":{\"stream\":\"\(end.token)\"}}"
  let owner = try DescriptorOwner.calling(call, at: daemon)
  try waitUntil("It waits") { try onLoop { daemon.daemon.shell.results.isAwaited(end.token) } }
  return owner
}
