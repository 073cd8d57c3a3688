// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct LifetimeTests {
    enum Style: CaseIterable { case never, blocking, runLoop, abandoned }

    /// Holds one short conversation.
    static func talk(_ style: Style, closes: Bool) throws {
      weak var input: InputStream?
      weak var output: OutputStream?
      try {
        let (pair, daemon) = try StreamPair.make(leftover: [1])
        (input, output) = (pair.input, pair.output)
        let conversation = Conversation(sending: [4])
        switch style {
        case .never: break
        case .blocking:
          pair.open()
          try daemon.write([2])
          daemon.finish()
          #expect(pair.output.writeAll([3]) == 1)
          #expect(pair.input.readAll().bytes == [1, 2])
        case .runLoop:
          pair.setDelegate(conversation)
          pair.schedule(.default)
          pair.open()
          daemon.hangUp()
          pair.outcome.set(Broken())
          try runLoop("The break is told") { conversation.inputEvents.last == .errorOccurred }
        case .abandoned:
          pair.setDelegate(conversation)
          pair.schedule(.default)
          pair.open()
          daemon.hangUp()
        }
        if closes { pair.close() }
      }()
      #expect(input == nil)
      #expect(output == nil)
    }

    /// Creates this thread's run loop, which keeps descriptors of its own.
    static func makeRunLoop() { _ = RunLoop.current.run(mode: .default, before: Date()) }

    @Test func nothingIsLeftOfStreamsThatAreGone() async {
      // This needs its own process, because it checks all descriptors, and threads keep those of their run loops.
      await #expect(processExitsWith: .success) {
        try Descriptors.settle()
        Self.makeRunLoop()
        let before = Descriptors.count
        for style in Style.allCases {
          for _ in 0..<20 {
            try Self.talk(style, closes: true)
            try Self.talk(style, closes: false)
          }
        }
        try waitUntil("All is closed") { Descriptors.count <= before }
      }
    }

    @Test func aDelegateIsNotRetained() throws {
      let (pair, daemon) = try StreamPair.make()
      weak var delegate: Conversation?
      do {
        let conversation = Conversation()
        delegate = conversation
        pair.setDelegate(conversation)
        #expect(pair.input.delegate === conversation)
      }
      #expect(delegate == nil)
      #expect(pair.input.delegate == nil)
      daemon.hangUp()
    }
  }
}
