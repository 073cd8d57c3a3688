// SPDX-License-Identifier: Apache-2.0

import Baton
import ChildProcess
import Foundation
import Glibc
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct RunLoopTests {
    @Test(arguments: [RunLoop.Mode.default, .common])
    func megabytesGoBothWaysOnTheMainRunLoop(mode: RunLoop.Mode) throws {
      let count = 4 << 20
      let (near, far) = try StreamPair.sockets()
      let app = try ChildProcess(
        [Bundle.main.bundleURL.appending(path: "main-run-loop").path, mode.rawValue, "\(count)"],
        standardInput: near,
        standardError: STDERR_FILENO
      )
      close(near)
      let daemon = DaemonEnd(far)
      let writer = onThread {
        try daemon.write(noise(count, seed: 2))
        daemon.finish()
      }
      #expect(try daemon.read() == noise(count, seed: 1))
      try writer.wait()
      #expect(app.waitUntilExit() == 0)
    }

    @Test(arguments: [RunLoop.Mode.default, .common])
    func megabytesGoBothWaysOnTheRunLoopOfAThread(mode: RunLoop.Mode) throws {
      let (pair, daemon) = try StreamPair.make()
      let (sent, received) = (noise(4 << 20, seed: 1), noise(4 << 20, seed: 2))
      let app = onThread {
        let conversation = Conversation(sending: sent)
        pair.setDelegate(conversation)
        pair.schedule(mode)
        pair.open()
        try runLoop("All is there") { conversation.isOver }
        return conversation
      }
      let writer = onThread {
        try daemon.write(received)
        daemon.finish()
      }
      #expect(try daemon.read() == sent)
      try writer.wait()
      pair.outcome.set(nil)
      let conversation = try app.wait()
      #expect(conversation.received == received)
      #expect(conversation.inputEvents.first == .openCompleted)
      #expect(conversation.inputEvents.last == .endEncountered)
      #expect(conversation.inputEvents.count { $0 != .hasBytesAvailable } == 2)
      #expect(conversation.outputEvents.first == .openCompleted)
      #expect(conversation.outputEvents.dropFirst().allSatisfy { $0 == .hasSpaceAvailable })
      #expect(conversation.threads.count == 1)
    }

    @Test func aBreakIsToldWithItsReasonOnceThatIsKnown() throws {
      let (pair, daemon) = try StreamPair.make()
      let conversation = Conversation()
      pair.setDelegate(conversation)
      pair.schedule(.default)
      pair.open()
      try daemon.write([1, 2, 3])
      daemon.hangUp()
      try runLoop("The bytes are read") { conversation.received == [1, 2, 3] }
      // Until the reason is known, no more events come, and the run loop is not held up.
      let later = Timer(fire: Date(timeIntervalSinceNow: 0.05), interval: 0, repeats: false) { _ in
        pair.outcome.set(Broken())
      }
      RunLoop.current.add(later, forMode: .default)
      try runLoop("The break is told") { conversation.inputEvents.last == .errorOccurred }
      #expect(!later.isValid)
      #expect(pair.input.streamStatus == .error)
      #expect(pair.input.streamError is Broken)
      try runLoop("The break is told to the writer") { conversation.outputEvents.last == .errorOccurred }
      #expect(pair.output.streamError is Broken)
      #expect(conversation.inputEvents == [.openCompleted, .hasBytesAvailable, .errorOccurred])
    }

    @Test func aWriteThatFailsDoesNotHoldTheRunLoopUp() throws {
      let (pair, daemon) = try StreamPair.make(outcome: StreamOutcome(time: .seconds(600)))
      let conversation = Conversation()
      pair.setDelegate(conversation)
      pair.schedule(.default)
      pair.open()
      daemon.hangUp()
      #expect(pair.output.write([1], maxLength: 1) == -1)
      #expect(pair.output.streamStatus == .error)
      #expect((pair.output.streamError as? CocoaError)?.code == .userActivityConnectionUnavailable)
      #expect(!conversation.outputEvents.contains(.errorOccurred))
      pair.outcome.set(Broken())
      try runLoop("The break is told") { conversation.outputEvents.contains(.errorOccurred) }
      #expect(pair.output.streamError is Broken)
    }

    @Test func anEndThatNobodyExplainsIsABreak() throws {
      let (pair, daemon) = try StreamPair.make(outcome: StreamOutcome(time: .milliseconds(50)))
      let conversation = Conversation()
      pair.input.delegate = conversation
      pair.input.schedule(in: .current, forMode: .default)
      pair.input.open()
      daemon.hangUp()
      try runLoop("The break is told") { conversation.inputEvents.last == .errorOccurred }
      let error = try #require(pair.input.streamError) as NSError
      #expect(error.code == CocoaError.userActivityConnectionUnavailable.rawValue)
      #expect(error.localizedDescription.contains("batond is running"))
    }
  }
}

/// The reason for which a stream broke.
struct Broken: Error {}
