import Activity

/// The activities that this machine's programs hold, and what withholds them at the moment.
///
/// Each user has at most one current activity, and holds at most `Limits.activitiesPerUser`. An activity goes when the
/// program that holds it does.
struct LocalActivities: Sendable {
  /// An effect, and the activity that it is about.
  typealias Effect = (activity: LocalActivity, effect: LocalActivity.Effect)

  /// Whether the machine is going to sleep. Nothing is offered then.
  var isAsleep = false
  /// The users whose screens are all locked. What they hold is not offered.
  var lockedUsers: Set<UserID> = []
  private var activities: [ActivityID: LocalActivity] = [:]

  subscript(id: ActivityID) -> LocalActivity? { activities[id] }

  func held(by user: UserID) -> [LocalActivity] { activities.values.filter { $0.user == user } }

  func held(by client: ClientID) -> [LocalActivity] { activities.values.filter { $0.client == client } }

  /// The one current activity of `user`.
  func current(of user: UserID) -> ActivityRecord? {
    activities.values.first { $0.user == user && $0.isOffered }?.record
  }

  /// Returns why nothing that the user holds is offered at the moment. Nil if nothing prevents it.
  func withholding(from user: UserID) -> Reason? {
    if isAsleep { return .asleep }
    if lockedUsers.contains(user) { return .screenLocked }
    return current(of: user)?.isEligibleForHandoff == false ? .notEligible : nil
  }

  func offered(to team: TeamID, _ teams: TeamOwners) -> [LocalActivity] {
    activities.values.filter { $0.isOffered && withholding(from: $0.user) == nil && $0.isMeant(for: team, teams) }
  }

  /// When ``LocalActivity/Event/wake`` is due next.
  func deadline(_ time: Time) -> ContinuousClock.Instant? {
    activities.values.lazy.compactMap { $0.deadline(time) }.min()
  }

  // MARK: Events

  /// Makes an activity its user's current one, in place of any other. If a program holds the same activity already, it
  /// loses it.
  mutating func becomeCurrent(
    _ record: ActivityRecord,
    _ team: TeamID?,
    _ client: ClientID,
    _ user: UserID,
    _ order: inout Order,
    _ time: Time
  ) throws(Reason) -> [Effect] {
    let id = record.id
    let earlier = activities[id]
    if let earlier, earlier.user != user { throw .notPermitted }
    let others = activities.values.count { $0.user == user && $0.record.id != id }
    guard others < Limits.activitiesPerUser else { throw .limitReached }
    var effects = handle(.withdrawn(.superseded), at: time) { $0.user == user && $0.record.id != id }
    if let earlier { effects.append((earlier, .tell(.resigned(.superseded)))) }
    activities[id] = LocalActivity(
      record,
      user: user,
      team: team,
      client: client,
      order: order.next(),
      after: earlier
    )
    return effects + handle(.becameCurrent, id, at: time)
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
