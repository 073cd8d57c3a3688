// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonDaemon

@Suite struct StreamTurnsTests {
  private var turns = StreamTurns()

  @Test mutating func oneStreamLetsOthersInAfterEachBatch() {
    #expect(turns.length(onLongPath: false) == 1)
    turns.note(1)
    turns.note(1)
    #expect(!turns.isShared)
    #expect(turns.length(onLongPath: false) == 1)
    #expect(turns.length(onLongPath: true) == 4, "TCP has to find out how fast a long path is")
  }

  @Test mutating func severalStreamsSendMoreAtATime() {
    for stream: UInt32 in [1, 2, 3, 1] { turns.note(stream) }
    #expect(turns.isShared)
    #expect(turns.length(onLongPath: false) == 4)
  }

  @Test mutating func oneAfterTheOtherAreNotSeveral() {
    turns.note(1)
    turns.forget(1)
    turns.note(3)
    #expect(!turns.isShared)
  }

  @Test mutating func theLastOfSeveralIsAloneSoon() {
    turns.note(1)
    turns.note(2)
    turns.note(1)
    turns.note(1)
    #expect(!turns.isShared)
    #expect(turns.length(onLongPath: false) == 1)
  }
}
