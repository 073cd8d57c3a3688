import Activity
import PeerProtocol

/// This machine as the origin: its programs' activities, and the peers that fetch them (Protocol.md section 6).
extension ContinuationCore {
  mutating func becomeCurrent(
    _ record: ActivityRecord,
    _ team: TeamID?,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) {
    guard !isStopping else { return effects.append(.fail(client, .shuttingDown)) }
    if let team, !mayUse(team, user) { return effects.append(.fail(client, .teamNotFound)) }
    if let other = local[record.id], other.user != user { return effects.append(.fail(client, .notPermitted)) }
    let held = local.values.filter { $0.user == user && $0.record.id != record.id }
    guard held.count < Limits.activitiesPerUser else { return effects.append(.fail(client, .limitReached)) }
    for activity in held { handle(.withdrawn(.superseded), activity.record.id, time) }
    let earlier = local[record.id]
    if let earlier { effects.append(.tell(earlier.client, .resigned(.superseded))) }
    local[record.id] = LocalActivity(
      record,
      user: user,
      team: team,
      client: client,
      order: nextOrder(),
      after: earlier
    )
    handle(.becameCurrent, record.id, time)
  }

  mutating func update(_ record: ActivityRecord, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let activity = local[record.id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard activity.record.activityType == record.activityType else {
      return effects.append(.fail(client, .activityTypeInvalid))
    }
    effects.append(.succeed(client))
    handle(.updated(record), record.id, time)
  }

  mutating func resign(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let activity = local[id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    effects.append(.succeed(client))
    handle(.withdrawn(.activityWithdrawn), id, time)
  }

  mutating func leave(_ client: ClientID, _ time: Time) {
    for (id, activity) in local where activity.client == client {
      handle(.left, id, time)
      local[id] = nil
      for (token, waiting) in waitingStreams where waiting.activity == id {
        waitingStreams[token] = nil
        refuse(waiting.stream, .streamReset)
      }
    }
    for (id, fetch) in fetching where fetch.client == client { fetching[id]?.client = nil }
    for (stream, opening) in openingStreams where opening.client == client {
      openingStreams[stream] = nil
      refuse(stream, .streamReset)
    }
  }

  mutating func stop(_ time: Time) {
    isStopping = true
    for id in local.keys { handle(.withdrawn(.shuttingDown), id, time) }
  }

  // MARK: Peers

  mutating func receiveFetch(_ fetch: Fetch, from peer: PeerID, _ time: Time) {
    guard let activity = local[fetch.activity], (activity.team ?? peer.team) == peer.team,
      mayUse(peer.team, activity.user)
    else { return refuse(fetch.request, .activityNotFound, to: peer) }
    let withheld = withholding(from: activity.user)
    handle(.fetched(by: peer, request: fetch.request, withheld: withheld), fetch.activity, time)
  }

  mutating func receiveContinued(_ message: Continued, from peer: PeerID, _ time: Time) {
    handle(.reported(by: peer, delivered: message.delivered), message.activity, time)
  }

  /// Releases what the end of a session leaves behind: the peer's reservations of activities, and its waiting fetches.
  mutating func releaseReservations(of peer: PeerID, _ time: Time) {
    for id in local.keys { handle(.sessionEnded(peer), id, time) }
  }

  // MARK: Effects of one activity

  mutating func handle(_ event: LocalActivity.Event, _ id: ActivityID, _ time: Time) {
    for effect in local[id]?.handle(event, at: time) ?? [] { perform(effect, id) }
  }

  private mutating func perform(_ effect: LocalActivity.Effect, _ id: ActivityID) {
    guard let activity = local[id] else { return }
    switch effect {
    case .tell(let event): effects.append(.tell(activity.client, event))
    case .tellContinued(let peer):
      effects.append(.tell(activity.client, .continued(device: peers[peer]?.name ?? peer.description)))
    case .give(let request, let peer):
      effects.append(.send(.payload(Payload(request: request, activity: activity.record)), to: peer))
    case .refuse(let request, let reason, let peer): refuse(request, reason, to: peer)
    }
  }

  private mutating func refuse(_ request: UInt64, _ reason: Reason, to peer: PeerID) {
    effects.append(.send(.failure(Failure(request: request, reason: reason)), to: peer))
  }
}
