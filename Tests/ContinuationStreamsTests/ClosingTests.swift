// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Glibc
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct ClosingTests {
    @Test func aReadThatBlocksReturnsWhenAnotherThreadCloses() throws {
      // Some are closed before the read blocks.
      for _ in 0..<200 {
        let (pair, daemon) = try StreamPair.make()
        pair.open()
        let started = Outcome<Void>()
        let reader = onThread {
          started.set(.success(()))
          return pair.input.readAll().last
        }
        try started.wait()
        pair.input.close()
        #expect(try reader.wait() == -1)
        #expect(pair.input.streamStatus == .closed)
        #expect(pair.input.streamError == nil)
        // The other direction is not affected.
        #expect(pair.output.writeAll([1]) == 1)
        #expect(try daemon.read(1) == [1])
      }
    }

    @Test func aWriteThatBlocksReturnsWhenAnotherThreadCloses() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      let writer = onThread {
        var count = 0
        while pair.output.writeAll([1, 2, 3, 4]) == 4 { count += 4 }
        return count
      }
      try waitUntil("The socket is full") { !pair.output.hasSpaceAvailable }
      pair.output.close()
      let count = try writer.wait()
      #expect(try daemon.read().count == count)
      #expect(pair.output.streamError == nil)
    }

    /// If a descriptor were closed while a thread still uses it, one of the new sockets here would get its number.
    @Test func noThreadTouchesADescriptorThatIsNotItsOwn() throws {
      for _ in 0..<300 {
        let (pair, daemon) = try StreamPair.make()
        pair.open()
        let users = (0..<2).map { _ in onThread { pair.input.readAll().last } }
        let writer = onThread {
          while pair.output.writeAll(noise(8192, seed: 4)) == 8192 {}
        }
        let closer = onThread { pair.close() }
        let strangers = try (0..<4).map { _ in try StreamPair.sockets() }
        for (near, _) in strangers { #expect(send(near, [1, 2, 3], 3, 0) == 3) }
        for user in users { #expect(try user.wait() == -1) }
        try writer.wait()
        try closer.wait()
        daemon.hangUp()
        for (near, far) in strangers {
          var bytes = [UInt8](repeating: 0, count: 16)
          #expect(recv(far, &bytes, 16, Int32(MSG_DONTWAIT)) == 3)
          close(near)
          close(far)
        }
      }
    }

    @Test func whatComesAfterTheInputIsClosedIsDropped() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      pair.input.close()
      // More than all buffers on the way can hold.
      try daemon.write(noise(4 << 20, seed: 5))
      #expect(pair.output.writeAll([1, 2, 3]) == 3)
      pair.output.close()
      daemon.finish()
      #expect(try daemon.read() == [1, 2, 3])
    }

    @Test func whatWasWrittenArrivesAlthoughTheInputWasNotRead() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      try daemon.write(noise(10_000, seed: 6))
      #expect(pair.output.writeAll([1, 2, 3]) == 3)
      pair.close()
      // This is more than the sockets hold. Without the drain, this write would fail, and so would the reads after it.
      try daemon.write(noise(1 << 20, seed: 7))
      #expect(try daemon.read() == [1, 2, 3])
    }

    @Test func theOtherSideIsCutWhenBothAreClosedForAWhile() throws {
      let (pair, daemon) = try StreamPair.make()
      pair.open()
      pair.close()
      try waitUntil("Nobody reads any more") { daemon.isCut }
    }

    /// The end of the socket alone would look like a proper one.
    @Test func aStreamThatIsOnlyReleasedIsGivenUp() throws {
      for (isOpen, keepsInput) in [(true, true), (true, false), (false, true), (false, false)] {
        let outcome = StreamOutcome()
        let hangUps = Locked<[@Sendable () -> Void]>([])
        outcome.whenGivenUp { hangUp in hangUps.withLock { $0.append(hangUp) } }
        var pair: StreamPair?
        let daemon: DaemonEnd
        (pair, daemon) = try StreamPair.make(outcome: outcome)
        if isOpen { pair?.open() }
        var (input, output): (InputStream?, OutputStream?) = (pair?.input, pair?.output)
        pair = nil
        if keepsInput { output = nil } else { input = nil }
        // The daemon has to know first that nobody awaits the end.
        #expect(hangUps.withLock { $0.count } == 1)
        #expect(!daemon.hasEnded)
        let kept: Stream? = keepsInput ? input : output
        if !isOpen { kept?.open() }
        for hangUp in hangUps.withLock({ $0 }) { hangUp() }
        #expect(try daemon.read() == [])
        if let input {
          #expect(input.readAll().last == -1)
        } else {
          #expect(output?.writeAll([1]) == 0)
        }
        let error = try #require(kept?.streamError as? CocoaError)
        #expect(error.userInfo["BatonReason"] as? String == "streamReset")
        (input, output) = (nil, nil)
        #expect(hangUps.withLock { $0.count } == 1)
      }
    }

    @Test func aStreamWhoseEndWasReadNeedsNoClose() throws {
      let outcome = StreamOutcome()
      let isGivenUp = Locked(false)
      outcome.whenGivenUp { _ in isGivenUp.withLock { $0 = true } }
      var pair: StreamPair?
      let daemon: DaemonEnd
      (pair, daemon) = try StreamPair.make(outcome: outcome)
      pair?.open()
      daemon.finish()
      #expect(pair?.input.readAll().last == 0)
      pair?.output.close()
      pair = nil
      #expect(try daemon.read() == [])
      #expect(!isGivenUp.withLock { $0 })
    }

    @Test func aDelegateMayCloseAndLetGoInItsEvents() throws {
      for event in [
        Stream.Event.openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .endEncountered, .errorOccurred,
      ] {
        var (pair, daemon): (StreamPair?, DaemonEnd) = try StreamPair.make(leftover: [1])
        weak let (input, output) = (pair?.input, pair?.output)
        let conversation = Conversation()
        conversation.closesOutput = false
        var isClosed = false
        conversation.onEvent = { stream, told in
          #expect(!isClosed)
          guard told == event else { return }
          isClosed = true
          stream.close()
          pair = nil
        }
        pair?.setDelegate(conversation)
        pair?.schedule(.default)
        pair?.outcome.set(event == .errorOccurred ? Broken() : nil)
        pair?.open()
        if event == .errorOccurred { daemon.hangUp() } else { daemon.finish() }
        try runLoop("The event came") { isClosed }
        #expect(input == nil)
        #expect(output == nil)
      }
    }
  }
}
