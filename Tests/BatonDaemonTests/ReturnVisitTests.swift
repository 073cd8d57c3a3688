// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import TLS
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// Instances of the team that this machine cannot read, some of which a removed device may have made.
  struct ReturnVisitTests {
    @Test func oneThatFailedGivesItsPlaceToANewOne() throws {
      let clock = try ManualClock.install()
      let journal = try onLoop { Journal() }
      try onLoop {
        for number in 0..<Limits.returnVisits { #expect(journal.found("\(number)")) }
        #expect(!journal.found("early"), "Nobody has had a turn")
      }
      try clock.pass(Limits.dialCourtesy)
      let asked = try onLoop { journal.asked }
      #expect(Set(asked).count == Limits.returnVisits)
      try onLoop {
        #expect(journal.found("member"))
        #expect(journal.replaced == Array(asked.prefix(1)), "The one that failed longest ago")
      }
      try clock.pass(Limits.dialCourtesy)
      #expect(try onLoop { journal.asked }.contains("member"))
    }

    @Test func theOneThatFailedMostOftenGoesFirst() throws {
      let clock = try ManualClock.install()
      let journal = try onLoop { Journal() }
      try onLoop { for number in 1..<Limits.returnVisits { #expect(journal.found("\(number)")) } }
      try clock.pass(Limits.dialCourtesy)
      try onLoop {
        journal.silent = Set(journal.asked)
        #expect(journal.found("often"))
      }
      try clock.pass(Limits.dialCourtesy)
      try clock.pass(Limits.resolveTime + Limits.dialBackoff.lowerBound)
      try onLoop {
        #expect(journal.asked.count { $0 == "often" } == 2)
        #expect(journal.found("new") && journal.replaced == ["often"])
      }
    }
  }
}

/// Which instances were visited. Nobody knows their addresses.
@Loop
private final class Journal: ReturnVisitsHost {
  private(set) var asked: [String] = []
  private(set) var replaced: [String] = []
  /// Of which nobody says that there are none.
  var silent: Set<String> = []
  private lazy var visits = ReturnVisits(host: self)

  func resolve(_ instance: String) {
    asked.append(instance)
    if !silent.contains(instance) { visits.resolved(instance, []) }
  }

  func visitReplaced(_ instance: String) { replaced.append(instance) }

  func makeEngine(toVisit team: TeamID, isSecondTry: Bool) -> TLSEngine? { nil }

  func visited(_ team: TeamID, _ connection: TLSConnection) { connection.finish() }

  func found(_ instance: String) -> Bool {
    TeamID(bytes: Array(repeating: 1, count: 32)).map { visits.found(instance, of: $0) } ?? false
  }
}
