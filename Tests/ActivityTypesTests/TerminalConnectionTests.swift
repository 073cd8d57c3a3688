// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import ActivityTypes

struct TerminalConnectionTests {
  private let now = ContinuousClock.now
  private let welcome = TerminalWelcome(session: "work", resumeTime: 60, token: "t", isReadOnly: false)

  private func connected() -> TerminalConnection {
    var connection = TerminalConnection(longestResumeTime: .seconds(3600)) { 1 }
    #expect(connection.handle(.begin, at: now).contains(.open(token: nil)))
    #expect(connection.handle(.welcomed(welcome), at: now).contains(.tellConnected))
    #expect(connection.isConnected)
    return connection
  }

  @Test func whatFailsAtTheBeginningFailsForGood() {
    for failure in [TerminalConnection.Failure.unreachable, .unknown, .refused(.streamsNotSupported)] {
      var connection = TerminalConnection(longestResumeTime: .seconds(3600))
      _ = connection.handle(.begin, at: now)
      #expect(connection.handle(.broke(failure), at: now).contains(.finish(.failed(failure))))
      #expect(connection.handle(.wake, at: now).isEmpty)
    }
  }

  @Test func aBrokenConnectionIsOpenedAgainWithItsToken() {
    var connection = connected()
    let pause = Duration.milliseconds(250)
    #expect(
      connection.handle(.broke(.unreachable), at: now) == [.closeStream, .wake(at: now + pause), .tellBroken]
    )
    #expect(connection.isBroken)
    #expect(connection.handle(.wake, at: now + pause).contains(.open(token: "t")))
    // The next pause is longer, and the time is that since the break.
    #expect(
      connection.handle(.broke(.unreachable), at: now + pause).contains(.wake(at: now + pause * 3))
    )
    #expect(
      connection.handle(.wake, at: now + .seconds(59)) == [.wake(at: now + .seconds(60)), .open(token: "t")]
    )
    // An attempt does not outlast the time.
    #expect(connection.handle(.wake, at: now + .seconds(60)).contains(.finish(.lost)))
  }

  @Test func anOriginThatDoesNotKnowUsIsContinuedAgain() {
    var connection = connected()
    _ = connection.handle(.broke(.unreachable), at: now)
    _ = connection.handle(.wake, at: now)
    #expect(connection.handle(.broke(.unknown), at: now) == [.closeStream, .continueAgain])
    #expect(connection.handle(.continuedAgain, at: now).contains(.open(token: "t")))
    #expect(connection.handle(.welcomed(welcome), at: now).contains(.tellConnected))
  }

  @Test func whatIsNoLongerOfferedEndsAfterAMinute() {
    var connection = TerminalConnection(longestResumeTime: .seconds(3600)) { 1 }
    _ = connection.handle(.begin, at: now)
    let long = TerminalWelcome(session: "work", resumeTime: 3600, token: "t", isReadOnly: false)
    _ = connection.handle(.welcomed(long), at: now)
    _ = connection.handle(.broke(.unreachable), at: now)
    for second in 0..<60 {
      let time = now + .seconds(second)
      _ = connection.handle(.wake, at: time)
      _ = connection.handle(.broke(.unknown), at: time)
      #expect(!connection.handle(.broke(.notOffered), at: time).contains(.finish(.notOffered)))
    }
    let time = now + .seconds(60)
    _ = connection.handle(.wake, at: time)
    _ = connection.handle(.broke(.unknown), at: time)
    #expect(connection.handle(.broke(.notOffered), at: time).contains(.finish(.notOffered)))
  }

  @Test func theReceiverHasALimitOfItsOwn() {
    var connection = TerminalConnection(longestResumeTime: .seconds(10)) { 1 }
    _ = connection.handle(.begin, at: now)
    let forever = TerminalWelcome(session: "work", resumeTime: .max, token: "t", isReadOnly: false)
    _ = connection.handle(.welcomed(forever), at: now)
    _ = connection.handle(.broke(.unreachable), at: now)
    #expect(connection.handle(.wake, at: now + .seconds(11)).contains(.finish(.lost)))
  }

  @Test func aUserIsToldThatTheOriginDoesNotAnswer() {
    var connection = connected()
    let late = now + TerminalConnection.silentTime
    #expect(connection.handle(.typed, at: now) == [.sendPing, .wake(at: late)])
    #expect(connection.handle(.typed, at: now).isEmpty)
    #expect(connection.handle(.answered, at: now) == [.wake(at: nil)])
    #expect(connection.handle(.answered, at: now).isEmpty)
    #expect(connection.handle(.wake, at: late).isEmpty)
    _ = connection.handle(.typed, at: now)
    #expect(connection.handle(.wake, at: late) == [.tellSilent])
    #expect(connection.handle(.typed, at: late).isEmpty)
    #expect(connection.isConnected)
    #expect(connection.handle(.heard, at: late) == [.wake(at: nil), .draw])
    // A new connection starts afresh.
    _ = connection.handle(.typed, at: late)
    _ = connection.handle(.broke(.unreachable), at: late)
    #expect(connection.handle(.heard, at: late).isEmpty)
    _ = connection.handle(.wake, at: late + .seconds(1))
    _ = connection.handle(.welcomed(welcome), at: late + .seconds(1))
    #expect(connection.handle(.typed, at: late + .seconds(1)).contains(.sendPing))
  }

  @Test func outputFromBeforeIsNoAnswer() {
    var connection = connected()
    let late = now + TerminalConnection.silentTime
    _ = connection.handle(.typed, at: now)
    #expect(connection.handle(.heard, at: now).isEmpty)
    // What was sent since may have been on its way.
    #expect(connection.handle(.wake, at: late) == [.sendPing, .wake(at: late + TerminalConnection.silentTime)])
    #expect(connection.handle(.wake, at: late + TerminalConnection.silentTime) == [.tellSilent])
    #expect(connection.handle(.heard, at: late) == [.wake(at: nil), .draw])
    #expect(connection.handle(.heard, at: late).isEmpty)
  }

  @Test func leavingWaitsForTheOriginForAMoment() {
    var connection = connected()
    #expect(connection.handle(.left, at: now).contains(.sendDetach))
    var other = connection
    #expect(connection.handle(.ended(TerminalEnd(.detached)), at: now).contains(.finish(.left)))
    #expect(other.handle(.wake, at: now + TerminalConnection.leaveTime).contains(.finish(.left)))
  }

  @Test func interruptingTheAttemptsEndsThem() {
    var connection = connected()
    _ = connection.handle(.broke(.unreachable), at: now)
    #expect(connection.handle(.left, at: now).contains(.finish(.interrupted)))
  }

  @Test func aStoppedProgramConnectsWhenItIsContinued() {
    var connection = connected()
    #expect(connection.handle(.stopped, at: now) == [.wake(at: nil), .closeStream])
    #expect(connection.handle(.broke(.unreachable), at: now).isEmpty)
    #expect(connection.handle(.resumed, at: now + .seconds(1)).contains(.open(token: "t")))
    _ = connection.handle(.welcomed(welcome), at: now)
    _ = connection.handle(.stopped, at: now)
    #expect(connection.handle(.resumed, at: now + .seconds(61)).contains(.finish(.lost)))
  }

  @Test func anOriginThatSaysNothingIsUnreachable() {
    var connection = connected()
    _ = connection.handle(.broke(.unreachable), at: now)
    _ = connection.handle(.wake, at: now)
    #expect(connection.handle(.wake, at: now + .seconds(30)).contains(.tellBroken))
  }
}
