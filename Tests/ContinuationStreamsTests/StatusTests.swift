// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct StatusTests {
    private static func check(_ stream: Stream, _ status: Stream.Status, hasError: Bool = false) {
      #expect(stream.streamStatus == status)
      #expect((stream.streamError != nil) == hasError)
    }

    @Test func theErrorIsReadInEveryStatus() throws {
      let (pair, daemon) = try StreamPair.make()
      let streams: [Stream] = [pair.input, pair.output]
      for stream in streams { Self.check(stream, .notOpen) }
      pair.open()
      for stream in streams { Self.check(stream, .open) }
      daemon.finish()
      #expect(pair.input.readAll().last == 0)
      Self.check(pair.input, .atEnd)
      daemon.hangUp()
      pair.outcome.set(Broken())
      #expect(pair.output.writeAll([1]) == 0)
      Self.check(pair.output, .error, hasError: true)
      pair.close()
      Self.check(pair.input, .closed)
      // The reason can still be read after closing.
      Self.check(pair.output, .closed, hasError: true)
    }

    @Test func onlyAnOpenStreamMovesBytes() throws {
      let (pair, daemon) = try StreamPair.make(leftover: [1])
      var byte: UInt8 = 0
      #expect(pair.input.read(&byte, maxLength: 1) == -1)
      #expect(pair.output.write([1], maxLength: 1) == -1)
      pair.open()
      #expect(pair.input.read(&byte, maxLength: 0) == 0)
      #expect(pair.output.write([1], maxLength: 0) == 0)
      #expect(pair.input.read(&byte, maxLength: 1) == 1)
      pair.close()
      pair.open()
      #expect(pair.input.streamStatus == .closed)
      #expect(pair.input.read(&byte, maxLength: 1) == -1)
      #expect(pair.output.write([1], maxLength: 1) == -1)
      #expect(try daemon.read().isEmpty)
    }

    @Test func whatTheseStreamsDoNotHaveIsRefused() throws {
      let (pair, daemon) = try StreamPair.make(leftover: [1])
      pair.open()
      var buffer: UnsafeMutablePointer<UInt8>?
      var length = 0
      #expect(!pair.input.getBuffer(&buffer, length: &length))
      let key = Stream.PropertyKey("key")
      for stream in [pair.input, pair.output] as [Stream] {
        #expect(stream.property(forKey: key) == nil)
        #expect(!stream.setProperty(nil, forKey: key))
      }
      let memory = type(of: pair.output).init(toMemory: ())
      memory.open()
      #expect(memory.streamStatus == .closed)
      #expect(memory.write([1], maxLength: 1) == -1)
      daemon.hangUp()
    }

    @Test func theOutcomeIsWhatIsSaidFirst() {
      let outcome = StreamOutcome()
      #expect(outcome.ending == nil)
      #expect(outcome.wait(until: .now) == nil)
      outcome.set(Broken())
      outcome.set(nil)
      guard case .broken(let error) = outcome.wait(until: .now) else { return #expect(Bool(false), "Not broken") }
      #expect(error is Broken)
    }
  }
}
