// SPDX-License-Identifier: Apache-2.0

import Activity

/// The activities that this machine's programs hold, and what withholds them at the moment.
///
/// Each user has at most one current activity of each ``CurrentKind``, has sent at most `sentActivitiesPerUser`
/// that wait, and holds at most `activitiesPerUser`. An activity goes when the program that holds it does.
struct LocalActivities: Sendable {
  /// The maximum number of activities that one user has sent to single devices and that still wait there. A person who
  /// sends more has lost track of them. It has room for the outbox.
  static let sentActivitiesPerUser = 112

  /// The maximum number of activities that one user may hold at the same time, current or not.
  static let activitiesPerUser = 160
  /// The maximum number of activities that one device is offered because they were sent to it. Further ones wait. It is
  /// half of `Limits.offersPerPeer`, so that there is room for current activities.
  static let sentActivitiesPerPeer = 8

  /// An effect, and the activity that it is about.
  typealias Effect = (activity: LocalActivity, effect: LocalActivity.Effect)

  /// Whether the machine is going to sleep. Nothing is offered then.
  var isAsleep = false
  /// The users whose screens are all locked. Their current activities are not offered. What they have sent is.
  var lockedUsers: Set<UserID> = []
  private var activities: [ActivityID: LocalActivity] = [:]

  subscript(id: ActivityID) -> LocalActivity? { activities[id] }

  func held(by user: UserID) -> [LocalActivity] { activities.values.filter { $0.user == user } }

  func held(by client: ClientID) -> [LocalActivity] { activities.values.filter { $0.client == client } }

  /// What `user` is doing: the current activity that is about neither the clipboard nor playback.
  func current(of user: UserID) -> ActivityRecord? {
    activities.values.first {
      $0.user == user && $0.recipient == nil && $0.isOffered && $0.record.currentKind == .main
    }?.record
  }

  /// Returns why the user's current activity is not offered at the moment. Nil if nothing prevents it.
  func withholding(from user: UserID) -> Reason? {
    if isAsleep { return .asleep }
    if lockedUsers.contains(user) { return .screenLocked }
    return current(of: user)?.isEligibleForHandoff == false ? .notEligible : nil
  }

  /// Returns why an activity is not offered at the moment. A locked screen does not withhold what was sent, because a
  /// person sent it.
  func withholding(_ activity: LocalActivity) -> Reason? {
    if isAsleep { return .asleep }
    if activity.recipient == nil, lockedUsers.contains(activity.user) { return .screenLocked }
    return activity.record.isEligibleForHandoff ? nil : .notEligible
  }

  /// The current activities that peers in `team` are offered.
  func offered(to team: TeamID, _ teams: TeamOwners) -> [LocalActivity] {
    activities.values.filter {
      $0.recipient == nil && $0.isOffered && withholding($0) == nil && $0.isMeant(for: team, teams)
    }
  }

  /// The devices that activities are sent to.
  var recipients: Set<PeerID> { Set(activities.values.lazy.filter(\.isOffered).compactMap(\.recipient)) }

  /// The activities that were sent to `peer` and that it is offered: at most `sentActivitiesPerPeer`, the oldest
  /// of each user first, and then the second of each. The others wait until one of these goes.
  func sent(to peer: PeerID, _ teams: TeamOwners) -> [LocalActivity] {
    let sent = activities.values.filter {
      $0.recipient == peer && $0.isOffered && withholding($0) == nil && $0.isMeant(for: peer, teams)
    }
    let turns = Dictionary(grouping: sent, by: \.user).values.flatMap { own in
      own.sorted { $0.order < $1.order }.enumerated()
    }
    return turns.sorted { ($0.offset, $0.element.order) < ($1.offset, $1.element.order) }
      .prefix(Self.sentActivitiesPerPeer).map(\.element)
  }

  /// When ``LocalActivity/Event/wake`` is due next.
  func deadline(_ time: Time) -> ContinuousClock.Instant? {
    activities.values.lazy.compactMap { $0.deadline(time) }.min()
  }

  // MARK: Events

  /// Makes an activity its user's current one, in place of any other of its kind. If a program holds the same activity
  /// already, it loses it.
  mutating func becomeCurrent(
    _ record: ActivityRecord,
    _ team: TeamID?,
    _ client: ClientID,
    _ user: UserID,
    _ order: inout Order,
    _ time: Time
  ) throws(Reason) -> [Effect] {
    try checkRoom(for: record.id, of: user, isSent: false)
    let displaced = handle(.withdrawn(.superseded), at: time) {
      $0.user == user && $0.record.id != record.id && $0.recipient == nil
        && $0.record.currentKind == record.currentKind
    }
    let earlier = activities[record.id]
    let activity = LocalActivity(record, user: user, team: team, client: client, order: order.next(), after: earlier)
    return displaced + hold(activity, inPlaceOf: earlier, time)
  }

  /// Offers an activity to one device, beside its user's current one. If a program has sent the same activity already,
  /// it loses it.
  mutating func send(
    _ record: ActivityRecord,
    to recipient: PeerID,
    _ client: ClientID,
    _ user: UserID,
    _ order: inout Order,
    _ time: Time
  ) throws(Reason) -> [Effect] {
    let id = record.id
    try checkRoom(for: id, of: user, isSent: true)
    let others = activities.values.count {
      $0.user == user && $0.recipient != nil && $0.isOffered && $0.record.id != id
    }
    guard others < Self.sentActivitiesPerUser else { throw .limitReached }
    var earlier = activities[id]
    var effects: [Effect] = []
    if let other = earlier, other.recipient != recipient {
      // What another device was promised has nothing to do with this one.
      effects = remove(id, at: time) + [(other, .tell(.resigned(.superseded)))]
      earlier = nil
    }
    let activity = LocalActivity(
      record,
      user: user,
      team: nil,
      recipient: recipient,
      client: client,
      order: order.next(),
      after: earlier
    )
    return effects + hold(activity, inPlaceOf: earlier, time)
  }

  /// - Throws: `notPermitted` if the ID is another user's, or if it would make a current activity a sent one, or a sent
  ///   one current; `limitReached`.
  private func checkRoom(for id: ActivityID, of user: UserID, isSent: Bool) throws(Reason) {
    if let earlier = activities[id], earlier.user != user || (earlier.recipient != nil) != isSent {
      throw .notPermitted
    }
    let others = activities.values.count { $0.user == user && $0.record.id != id }
    guard others < Self.activitiesPerUser else { throw .limitReached }
  }

  private mutating func hold(_ activity: LocalActivity, inPlaceOf earlier: LocalActivity?, _ time: Time) -> [Effect] {
    let told: [Effect] = earlier.map { [($0, .tell(.resigned(.superseded)))] } ?? []
    activities[activity.record.id] = activity
    return told + handle(.becameCurrent, activity.record.id, at: time)
  }

  /// Forgets an activity, because the program that holds it has gone.
  mutating func remove(_ id: ActivityID, at time: Time) -> [Effect] {
    defer { activities[id] = nil }
    return handle(.left, id, at: time)
  }

  /// Passes an event to one activity, if it is held.
  mutating func handle(_ event: LocalActivity.Event, _ id: ActivityID, at time: Time) -> [Effect] {
    let effects = activities[id]?.handle(event, at: time) ?? []
    return activities[id].map { activity in effects.map { (activity, $0) } } ?? []
  }

  /// Passes an event to all activities that satisfy the condition.
  mutating func handle(
    _ event: LocalActivity.Event,
    at time: Time,
    where condition: (LocalActivity) -> Bool = { _ in true }
  ) -> [Effect] {
    var effects: [Effect] = []
    var index = activities.startIndex
    while index != activities.endIndex {
      if condition(activities.values[index]) {
        let own = activities.values[index].handle(event, at: time)
        if !own.isEmpty { effects += own.map { (activities.values[index], $0) } }
      }
      activities.formIndex(after: &index)
    }
    return effects
  }
}
