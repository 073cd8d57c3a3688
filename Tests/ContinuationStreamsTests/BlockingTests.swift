// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct BlockingTests {
    @Test func megabytesGoBothWaysAtOnceOnThreadsThatBlock() throws {
      let (pair, daemon) = try StreamPair.make()
      let (sent, received) = (noise(4 << 20, seed: 1), noise(4 << 20, seed: 2))
      pair.open()
      let writer = onThread {
        defer { pair.output.close() }
        return pair.output.writeAll(sent)
      }
      let reader = onThread { pair.input.readAll() }
      let daemonWriter = onThread {
        try daemon.write(received)
        daemon.finish()
      }
      #expect(try daemon.read() == sent)
      try daemonWriter.wait()
      pair.outcome.set(nil)
      #expect(try writer.wait() == sent.count)
      let (bytes, last) = try reader.wait()
      #expect(bytes == received)
      #expect(last == 0)
      #expect(pair.input.streamStatus == .atEnd)
      #expect(pair.input.streamError == nil)
    }

    /// What an app may do in the completion handler that gets the streams: use them on a global queue, with more of
    /// them than there are threads for Swift's tasks.
    @Test func callbacksMayWriteAndDrainToTheEnd() throws {
      let sent = noise(1 << 20, seed: 1)
      let pairs = try (0..<8).map { _ in try StreamPair.make() }
      let apps = pairs.map { pair, _ in
        let app = Outcome<[UInt8]>()
        DispatchQueue.global().async {
          pair.open()
          _ = pair.output.writeAll(sent)
          pair.output.close()
          app.set(.success(pair.input.readAll().bytes))
          pair.input.close()
        }
        return app
      }
      for ((pair, daemon), app) in zip(pairs, apps) {
        // Answer only after the whole question has arrived.
        let received = try daemon.read()
        #expect(received == sent)
        try daemon.write(received.reversed())
        daemon.hangUp()
        pair.outcome.set(nil)
        #expect(try app.wait() == sent.reversed())
      }
    }

    @Test func theFirstBytesAreTheOnesThatCameWithTheReply() throws {
      let (pair, daemon) = try StreamPair.make(leftover: Array("Hello, ".utf8))
      try daemon.write(Array("world".utf8))
      daemon.finish()
      pair.open()
      #expect(pair.input.hasBytesAvailable)
      let (bytes, last) = pair.input.readAll(3)
      #expect(String(decoding: bytes, as: UTF8.self) == "Hello, world")
      #expect(last == 0)
      #expect(!pair.input.hasBytesAvailable)
    }

    @Test func anEndOfOneDirectionIsAnEndAtOnceAndTheOtherGoesOn() throws {
      let (pair, daemon) = try StreamPair.make(outcome: StreamOutcome(time: .seconds(600)))
      pair.open()
      daemon.finish()
      #expect(pair.input.hasBytesAvailable)
      #expect(pair.input.readAll().last == 0)
      #expect(pair.input.readAll().last == 0)
      #expect(pair.input.streamStatus == .atEnd)
      #expect(pair.output.writeAll([1, 2, 3]) == 3)
      pair.output.close()
      #expect(try daemon.read() == [1, 2, 3])
    }

    @Test func closingTheOutputEndsItAndTheInputGoesOn() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      #expect(pair.output.writeAll([1]) == 1)
      pair.output.close()
      #expect(try daemon.read() == [1])
      try daemon.write([2])
      daemon.finish()
      pair.outcome.set(nil)
      #expect(pair.input.readAll().bytes == [2])
      #expect(pair.input.streamStatus == .atEnd)
    }

    @Test func aBreakIsAnErrorAfterAllBytesWithTheReasonThatComesLater() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      try daemon.write([1, 2, 3])
      let reader = onThread { pair.input.readAll() }
      daemon.hangUp()
      try waitUntil("The bytes are read") { !pair.input.hasBytesAvailable }
      #expect(!reader.isSet)
      pair.outcome.set(Broken())
      let (bytes, last) = try reader.wait()
      #expect(bytes == [1, 2, 3])
      #expect(last == -1)
      #expect(pair.input.streamStatus == .error)
      #expect(pair.input.streamError is Broken)
      #expect(pair.input.readAll().last == -1)
    }

    @Test func aWriteFailsWithTheReasonThatComesLater() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      daemon.hangUp()
      let writer = onThread { pair.output.writeAll([1]) }
      try waitUntil("The write has failed") { pair.output.streamStatus == .error }
      #expect(!writer.isSet)
      pair.outcome.set(Broken())
      #expect(try writer.wait() == 0)
      #expect(pair.output.streamError is Broken)
      #expect(!pair.output.hasSpaceAvailable)
    }

    @Test func anEndThatNobodyExplainsIsABreakButNotAfterBothEnded() throws {
      let (broken, daemon) = try StreamPair.make(outcome: StreamOutcome(time: .milliseconds(50)))
      broken.open()
      daemon.hangUp()
      #expect(broken.input.readAll().last == -1)
      #expect((broken.input.streamError as? CocoaError)?.code == .userActivityConnectionUnavailable)
      #expect(broken.output.write([1], maxLength: 1) == -1)
      #expect((broken.output.streamError as? CocoaError)?.code == .userActivityConnectionUnavailable)

      let (whole, other) = try StreamPair.make(outcome: StreamOutcome(time: .milliseconds(50)))
      whole.open()
      whole.output.close()
      other.finish()
      #expect(whole.input.readAll().last == 0)
      #expect(whole.input.streamError == nil)
    }

    @Test func aWholeStreamEndsHoweverItsSocketDoes() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      // A socket that is closed with unread bytes is reset.
      #expect(pair.output.writeAll([1]) == 1)
      try daemon.write([2])
      daemon.close()
      pair.outcome.set(nil)
      #expect(pair.input.readAll().bytes == [2])
      #expect(pair.input.streamStatus == .atEnd)
    }

    @Test func availabilityNeverBlocks() throws {
      let (pair, daemon) = try StreamPair.make(outcome: StreamOutcome(time: .seconds(600)))
      #expect(!pair.input.hasBytesAvailable)
      #expect(!pair.output.hasSpaceAvailable)
      pair.open()
      #expect(!pair.input.hasBytesAvailable)
      #expect(pair.output.hasSpaceAvailable)
      try daemon.write([1])
      #expect(pair.input.hasBytesAvailable)
      while pair.output.hasSpaceAvailable { _ = pair.output.writeAll([0]) }
      daemon.hangUp()
      var byte: UInt8 = 0
      #expect(pair.input.read(&byte, maxLength: 1) == 1)
      // The stream is over, but how it ended is not known yet, so reading would block.
      #expect(!pair.input.hasBytesAvailable)
      pair.outcome.set(nil)
      #expect(pair.input.hasBytesAvailable)
    }
  }
}
