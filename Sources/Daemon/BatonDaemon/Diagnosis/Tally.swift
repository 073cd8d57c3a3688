// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop

/// The daemon's counters for `GetStatus` and `GetMetrics`. They are kept for the whole machine and for each team,
/// because a user must not learn from numbers what another one does.
@Loop
final class Tally {
  /// Who may know that something has happened.
  enum Audience {
    case everybody
    case team(TeamID)
    /// Only users who see the whole machine's counters.
    case root
  }

  /// What somebody does with this machine, and what needs more code than the loop at rest.
  private static let uses: Set<Counters.Total> = [
    .controlCalls, .sessionsBegun, .offersReceived, .offersSent, .activitiesHandedOver, .activitiesContinued,
  ]

  /// Called whenever a use of this machine is counted.
  var onUse: (@Loop () -> Void)?
  /// The counters of the whole machine.
  private(set) var counters = Counters()
  private var common = Counters()
  private var teams: [TeamID: Counters] = [:]

  /// The counters for a user who may use some of the teams.
  func counters(where mayUse: (TeamID) -> Bool) -> Counters {
    teams.reduce(into: common) { sum, team in if mayUse(team.key) { sum.add(team.value) } }
  }

  /// Counts for these teams from now on, and forgets others.
  func keep(_ teams: some Sequence<TeamID>) {
    self.teams = Dictionary(teams.map { ($0, self.teams[$0] ?? Counters()) }, uniquingKeysWith: { first, _ in first })
  }

  func count(_ total: Counters.Total, by number: UInt64 = 1, for audience: Audience) {
    if Self.uses.contains(total) { onUse?() }
    counters.count(total, by: number)
    switch audience {
    case .everybody: common.count(total, by: number)
    case .team(let team): teams[team]?.count(total, by: number)
    case .root: break
    }
  }

  func count(_ cause: Counters.Cause, _ reason: Reason, for audience: Audience) {
    counters.count(cause, reason)
    switch audience {
    case .everybody: common.count(cause, reason)
    case .team(let team): teams[team]?.count(cause, reason)
    case .root: break
    }
  }

  // MARK: Streams

  /// Counts a stream that continues on another session.
  func streamResumed(of team: TeamID) { count(.streamsResumed, for: .team(team)) }

  /// Counts the bytes that came from the peer and went to it since the last call.
  func streamMoved(in received: UInt64, out sent: UInt64, of team: TeamID) {
    count(.streamBytesReceived, by: received, for: .team(team))
    count(.streamBytesSent, by: sent, for: .team(team))
  }
}
