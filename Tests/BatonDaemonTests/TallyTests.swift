// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Testing

@testable import BatonDaemon

/// Which user sees which counters.
struct TallyTests {
  private static func team(_ byte: UInt8) -> TeamID? { TeamID(bytes: Array(repeating: byte, count: TeamID.byteCount)) }

  @Loop @Test func usersSeeWhatTheirTeamsCount() throws {
    let (home, work) = (try #require(Self.team(1)), try #require(Self.team(2)))
    let tally = Tally()
    tally.keep([home, work])
    tally.count(.activitiesContinued, for: .team(home))
    tally.count(.sessionsBegun, by: 2, for: .team(home))
    tally.count(.sessionsBegun, by: 3, for: .team(work))
    tally.count(.dialsFailed, .peerUnreachable, for: .team(work))
    tally.streamMoved(in: 5, out: 7, of: home)
    tally.count(.connectionsRefused, .notTLS, for: .everybody)
    tally.count(.controlCalls, for: .root)
    tally.count(.continuationsFailed, .activityNotFound, for: .root)

    let ada = tally.counters { $0 == home }
    #expect(ada[.activitiesContinued] == 1 && ada[.sessionsBegun] == 2)
    #expect(ada[.streamBytesReceived] == 5 && ada[.streamBytesSent] == 7)
    #expect(ada[.dialsFailed] == [:] && ada[.connectionsRefused] == [.notTLS: 1])
    #expect(tally.counters { _ in true }[.sessionsBegun] == 5)

    var nobody = Counters()
    nobody.count(.connectionsRefused, .notTLS)
    #expect(tally.counters { _ in false } == nobody)

    let all = tally.counters
    #expect(all[.sessionsBegun] == 5 && all[.controlCalls] == 1 && all[.activitiesContinued] == 1)
    #expect(all[.continuationsFailed] == [.activityNotFound: 1] && all[.dialsFailed] == [.peerUnreachable: 1])
  }

  @Loop @Test func aTeamThatWasLeftIsForgottenAndOfTheMachineStill() throws {
    let (home, work) = (try #require(Self.team(1)), try #require(Self.team(2)))
    let tally = Tally()
    tally.keep([home, work])
    for team in [home, work] { tally.count(.offersSent, for: .team(team)) }
    tally.keep([work])
    // The sessions of the team that was left end after that.
    tally.count(.sessionsEnded, .teamNotFound, for: .team(home))
    #expect(tally.counters { _ in true }[.offersSent] == 1)
    #expect(tally.counters { _ in true }[.sessionsEnded] == [:])
    #expect(tally.counters[.offersSent] == 2 && tally.counters[.sessionsEnded] == [.teamNotFound: 1])
    tally.keep([home, work])
    #expect(tally.counters { $0 == home } == Counters())
  }
}
