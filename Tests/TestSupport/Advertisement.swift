// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkClient

/// A program that has made an activity current and receives its events. Releasing this object ends the program.
package final class Advertisement {
  package let id: ActivityID
  private let fixture: DaemonFixture
  private var replies: ControlReplies<BecomeCurrent>?

  /// Returns once the activity is current.
  init(_ activity: ControlActivity, team: String?, at fixture: DaemonFixture) throws {
    self.fixture = fixture
    let parameters = BecomeCurrent.Parameters(activity: activity, team: team)
    var replies = try fixture.connect().replies(of: BecomeCurrent.self, parameters)
    guard let first = try replies.next(until: .now + patience), first.event == .current else {
      throw TestFailure("The activity did not become current")
    }
    id = first.id
    self.replies = replies
  }

  /// Waits for the next event.
  ///
  /// - Throws: `TestFailure` if it is a different one.
  @discardableResult
  package func expect(_ event: BecomeCurrent.Event) throws -> BecomeCurrent.Reply {
    guard let reply = try replies?.next(until: .now + patience) else { throw TestFailure("No more events") }
    guard reply.event == event else { throw TestFailure("\(reply.event) where \(event) should come") }
    return reply
  }

  /// Ends the program without resigning the activity.
  package func end() { replies = nil }

  package func update(_ activity: ControlActivity) throws {
    var activity = activity
    activity.id = id
    _ = try fixture.call(UpdateActivity.self, UpdateActivity.Parameters(activity: activity))
  }

  package func resign() throws { _ = try fixture.call(ResignCurrent.self, ResignCurrent.Parameters(id: id)) }

  /// Accepts the next stream that a peer requests.
  package func acceptStream() throws -> StreamEnd {
    guard let token = try expect(.streamRequested).stream else { throw TestFailure("A stream without a token") }
    return try fixture.acceptStream(token)
  }
}
