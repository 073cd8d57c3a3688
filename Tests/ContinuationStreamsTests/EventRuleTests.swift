// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct EventRuleTests {
    /// Makes a pair that is scheduled on this thread's run loop, with a conversation as delegate.
    private static func make(
      _ conversation: Conversation,
      leftover: [UInt8] = []
    ) throws -> (StreamPair, DaemonEnd) {
      let (pair, daemon) = try StreamPair.make(leftover: leftover)
      conversation.closesOutput = false
      pair.setDelegate(conversation)
      pair.schedule(.default)
      return (pair, daemon)
    }

    /// Waits until another stream, scheduled later, has reported bytes that arrived later.
    private static func waitForAnother() throws {
      let conversation = Conversation()
      let (pair, daemon) = try make(conversation)
      pair.open()
      try daemon.write([1])
      try runLoop("Another stream's event") { conversation.received == [1] }
    }

    @Test func bytesAreToldAgainOnlyAfterARead() throws {
      let conversation = Conversation()
      conversation.reads = false
      let (pair, daemon) = try Self.make(conversation, leftover: [1])
      pair.open()
      try daemon.write([2, 3])
      try runLoop("The bytes are told") { conversation.inputEvents.last == .hasBytesAvailable }
      try Self.waitForAnother()
      #expect(conversation.inputEvents == [.openCompleted, .hasBytesAvailable])
      var byte: UInt8 = 0
      for value in UInt8(1)...3 {
        #expect(pair.input.read(&byte, maxLength: 1) == 1)
        #expect(byte == value)
        if value < 3 {
          try runLoop("The rest is told") { conversation.inputEvents.count == Int(value) + 2 }
        }
      }
      try Self.waitForAnother()
      #expect(conversation.inputEvents == [.openCompleted] + Array(repeating: .hasBytesAvailable, count: 3))
    }

    @Test func spaceIsToldAgainOnlyAfterAWrite() throws {
      let conversation = Conversation()
      let (pair, daemon) = try Self.make(conversation)
      pair.open()
      try runLoop("The space is told") { conversation.outputEvents.last == .hasSpaceAvailable }
      try Self.waitForAnother()
      #expect(conversation.outputEvents == [.openCompleted, .hasSpaceAvailable])
      var count = 0
      while pair.output.hasSpaceAvailable { count += pair.output.write([0], maxLength: 1) }
      try Self.waitForAnother()
      #expect(conversation.outputEvents.count == 2)
      #expect(try daemon.read(count).count == count)
      try runLoop("The new space is told") { conversation.outputEvents.count == 3 }
    }

    @Test func nothingIsToldBeforeOpeningNorAfterClosing() throws {
      let conversation = Conversation()
      let (pair, daemon) = try Self.make(conversation, leftover: [1])
      try daemon.write([1])
      try Self.waitForAnother()
      #expect(conversation.inputEvents.isEmpty)
      #expect(conversation.outputEvents.isEmpty)
      pair.open()
      pair.close()
      try Self.waitForAnother()
      #expect(conversation.inputEvents.isEmpty)
      #expect(conversation.outputEvents.isEmpty)
    }

    @Test func withoutADelegateNothingIsToldAndNothingIsLost() throws {
      let conversation = Conversation()
      let (pair, daemon) = try Self.make(conversation)
      pair.setDelegate(nil)
      pair.open()
      try daemon.write([1])
      try Self.waitForAnother()
      #expect(conversation.inputEvents.isEmpty)
      pair.setDelegate(conversation)
      try runLoop("The bytes are told") { conversation.received == [1] }
      #expect(conversation.inputEvents == [.openCompleted, .hasBytesAvailable])
    }

    @Test func aStreamIsScheduledAfterOpeningAndRemoved() throws {
      let conversation = Conversation()
      let (pair, daemon) = try Self.make(conversation)
      pair.unschedule(.default)
      pair.open()
      try daemon.write([1])
      try Self.waitForAnother()
      #expect(conversation.inputEvents.isEmpty)
      pair.schedule(.default)
      pair.schedule(.default)
      try runLoop("The bytes are told") { conversation.received == [1] }
      // An event that is about to be reported waits for the next run loop.
      try daemon.write([2])
      pair.unschedule(.default)
      try Self.waitForAnother()
      #expect(conversation.received == [1])
      let app = onThread {
        pair.schedule(.default)
        try runLoop("The bytes are told on another thread") { conversation.received == [1, 2] }
      }
      try app.wait()
    }

    @Test func eachEventIsToldOnOneOfSeveralRunLoops() throws {
      let conversation = Conversation()
      let (pair, daemon) = try Self.make(conversation)
      let mode = RunLoop.Mode("another")
      pair.schedule(mode)
      pair.open()
      try daemon.write([1])
      try runLoop("The bytes are told in the other mode", mode: mode) { conversation.received == [1] }
      try daemon.write([2])
      try runLoop("The bytes are told in the default mode") { conversation.received == [1, 2] }
      let idle = onThread {
        pair.schedule(.default)
        // This run loop never runs.
        pair.schedule(mode)
      }
      try idle.wait()
      try daemon.write([3])
      try runLoop("A run loop that does not run holds nothing up") { conversation.received == [1, 2, 3] }
      #expect(conversation.inputEvents == [.openCompleted] + Array(repeating: .hasBytesAvailable, count: 3))
    }

    /// Swift has only as many threads of its own as there are processors.
    @Test func eventsComeWhileTasksBlock() throws {
      let blocked = try (0..<16).map { _ in try StreamPair.make() }
      let readers = blocked.map { pair, _ in
        pair.open()
        let reader = Outcome<Int>()
        Task.detached { reader.set(.success(pair.input.readAll().bytes.count)) }
        return reader
      }
      try Self.waitForAnother()
      for (pair, daemon) in blocked {
        try daemon.write([1])
        daemon.finish()
        pair.outcome.set(nil)
      }
      for reader in readers { #expect(try reader.wait() == 1) }
    }
  }
}
