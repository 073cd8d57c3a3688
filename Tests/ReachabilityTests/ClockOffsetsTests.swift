// SPDX-License-Identifier: Apache-2.0

import Handoff
import Testing

@Suite struct ClockOffsetsTests {
  private var clocks = ClockOffsets()

  /// Peers from 1 say how far their clocks are ahead.
  private mutating func say(_ offsets: Int64...) {
    for (number, offset) in zip(UInt8(1)..., offsets) {
      clocks.said(UInt64(1000 + offset), by: Names.peer(number), at: 1000)
    }
  }

  @Test mutating func aPeerThatWasMetHasSaidIt() {
    say(-30, 7)
    #expect(clocks.candidates(of: Names.peer(1)) == [-30])
    #expect(clocks.best(of: Names.peer(1), isSecondTry: true) == -30)
  }

  @Test mutating func mostDevicesOfTheTeamSpeakForAPeerThatWasNotMet() {
    #expect(clocks.candidates(of: later) == [0, 0])
    say(900, -20, 10)
    clocks.said(5000, by: Names.peer(1, team: Names.otherTeam), at: 1000)
    #expect(clocks.candidates(of: later) == [0, -20])
    #expect(clocks.best(of: later) == -20)
    #expect(clocks.best(in: Names.team) == -20)
    #expect(clocks.best(in: Names.otherTeam) == 4000)
  }

  @Test mutating func ofTwoTheOneNearerToThisMachineCounts() {
    say(900, -20)
    #expect(clocks.best(in: Names.team) == -20)
  }

  @Test mutating func aSecondTryTrustsThisMachine() {
    say(900, 800, 700)
    #expect(clocks.best(of: later, isSecondTry: true) == 0)
    #expect(clocks.best(in: Names.team, isSecondTry: true) == 0)
  }

  @Test mutating func onlyTheLastSessionCounts() {
    say(900)
    clocks.said(1010, by: Names.peer(1), at: 1000)
    #expect(clocks.candidates(of: Names.peer(1)) == [10])
    clocks.said(nil, by: Names.peer(1), at: 1000)
    #expect(clocks.candidates(of: Names.peer(1)) == [0, 0])
    say(900)
    clocks.forget(Names.peer(1))
    #expect(clocks.best(in: Names.team) == 0)
  }

  @Test mutating func anyTimeCanBeSaid() {
    clocks.said(.max, by: Names.peer(1), at: 1000)
    #expect(clocks.candidates(of: Names.peer(1)) == [0, 0])
    clocks.said(UInt64(Int64.max), by: Names.peer(1), at: -1)
    #expect(clocks.candidates(of: Names.peer(1)) == [.min])
  }
}
