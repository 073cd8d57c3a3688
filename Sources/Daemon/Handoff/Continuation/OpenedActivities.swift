// SPDX-License-Identifier: Apache-2.0

import Activity

/// Activities that users have opened on this machine, for example from the search index, until a program of the same
/// user takes them. Nobody else gets them, and no list shows them.
struct OpenedActivities: Sendable {
  /// How long an opened activity waits for its app: longer than `Limits.launchTime`, so that an app that has just been
  /// started gets it, too.
  static let openedActivityTime = Duration.seconds(30)
  /// The maximum number of one user's opened activities that wait: as many as can be launched at the same time.
  static let openedActivitiesPerUser = Limits.launchesPerUser

  struct Opened {
    let record: ActivityRecord
    let origin: Origin
    fileprivate let user: UserID
    fileprivate let deadline: ContinuousClock.Instant
  }

  private var opened: [ActivityID: Opened] = [:]

  /// When the next one is dropped; nil if there is none.
  var deadline: ContinuousClock.Instant? { opened.values.map(\.deadline).min() }

  var count: Int { opened.count }

  /// - Throws: `limitReached`.
  mutating func add(
    _ record: ActivityRecord,
    from origin: Origin,
    by user: UserID,
    at now: ContinuousClock.Instant
  ) throws(Reason) {
    guard opened.values.count(where: { $0.user == user }) < Self.openedActivitiesPerUser else { throw .limitReached }
    opened[record.id] = Opened(
      record: record,
      origin: origin,
      user: user,
      deadline: now + Self.openedActivityTime
    )
  }

  /// Returns the activity, and forgets it. Nil if the user has not opened it.
  mutating func take(_ id: ActivityID, by user: UserID) -> Opened? {
    guard let found = opened[id], found.user == user else { return nil }
    opened[id] = nil
    return found
  }

  mutating func removeLate(at now: ContinuousClock.Instant) { opened = opened.filter { $0.value.deadline > now } }
}
