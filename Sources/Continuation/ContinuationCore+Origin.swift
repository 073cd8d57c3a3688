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
    for activity in held where activity.isOffered {
      local[activity.record.id]?.isCurrent = false
      effects.append(.tell(activity.client, .resigned(.superseded)))
    }
    let earlier = local[record.id]
    if let earlier { effects.append(.tell(earlier.client, .resigned(.superseded))) }
    var activity = LocalActivity(record: record, user: user, team: team, client: client, order: nextOrder())
    activity.continuedBy = earlier?.continuedBy ?? []
    activity.reservation = earlier?.reservation
    activity.saving = earlier?.saving
    local[record.id] = activity
    effects.append(.tell(client, .current))
    guard activity.saving != nil else { return }
    if record.needsSave {
      effects.append(.tell(client, .willSave))
    } else {
      answerFetches(record.id, time, isFresh: true)
    }
  }

  mutating func update(_ record: ActivityRecord, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let activity = local[record.id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard activity.record.activityType == record.activityType else {
      return effects.append(.fail(client, .activityTypeInvalid))
    }
    local[record.id]?.record = record
    effects.append(.succeed(client))
    if activity.saving != nil, !record.needsSave { answerFetches(record.id, time, isFresh: true) }
  }

  mutating func resign(_ id: ActivityID, _ client: ClientID, _ user: UserID) {
    guard let activity = local[id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    local[id]?.isCurrent = false
    effects.append(.succeed(client))
    if activity.isOffered { effects.append(.tell(activity.client, .resigned(.activityWithdrawn))) }
  }

  mutating func leave(_ client: ClientID) {
    for (id, activity) in local where activity.client == client {
      local[id] = nil
      for fetch in activity.saving?.fetches ?? [] { refuse(fetch.request, .activityWithdrawn, to: fetch.peer) }
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

  mutating func stop() {
    isStopping = true
    for (id, activity) in local where activity.isOffered {
      local[id]?.isCurrent = false
      effects.append(.tell(activity.client, .resigned(.shuttingDown)))
    }
  }

  // MARK: Peers

  mutating func receiveFetch(_ fetch: Fetch, from peer: PeerID, _ time: Time) {
    guard let activity = local[fetch.activity], (activity.team ?? peer.team) == peer.team,
      mayUse(peer.team, activity.user)
    else { return refuse(fetch.request, .activityNotFound, to: peer) }
    guard !activity.isTaken(for: peer) else { return refuse(fetch.request, .alreadyContinued, to: peer) }
    guard activity.isCurrent else { return refuse(fetch.request, .activityWithdrawn, to: peer) }
    if let reason = withholding(from: activity.user) { return refuse(fetch.request, reason, to: peer) }
    guard (activity.saving?.fetches ?? []).count(where: { $0.peer == peer }) < Limits.fetchesPerPeer else {
      return refuse(fetch.request, .limitReached, to: peer)
    }
    if activity.saving != nil {
      local[fetch.activity]?.saving?.fetches.append((peer, fetch.request))
    } else if activity.record.needsSave {
      local[fetch.activity]?.saving = (time.instant + Limits.saveTime, [(peer, fetch.request)])
      effects.append(.tell(activity.client, .willSave))
    } else {
      sendPayload(fetch.activity, fetch.request, to: peer, time)
    }
  }

  /// Answers the fetches that waited for the app: with its fresh state, or with its last state, or with an error if it
  /// never provided any.
  mutating func answerFetches(_ id: ActivityID, _ time: Time, isFresh: Bool) {
    guard let activity = local[id], let saving = activity.saving else { return }
    local[id]?.saving = nil
    for fetch in saving.fetches {
      if local[id]?.isTaken(for: fetch.peer) == true {
        refuse(fetch.request, .alreadyContinued, to: fetch.peer)
      } else if isFresh || activity.record.userInfo != .empty {
        sendPayload(id, fetch.request, to: fetch.peer, time)
      } else {
        refuse(fetch.request, .appTimedOut, to: fetch.peer)
      }
    }
  }

  private mutating func sendPayload(_ id: ActivityID, _ request: UInt64, to peer: PeerID, _ time: Time) {
    guard let record = local[id]?.record else { return }
    local[id]?.reservation = (peer, time.instant + Limits.reservationTime)
    effects.append(.send(.payload(Payload(request: request, activity: record)), to: peer))
  }

  private mutating func refuse(_ request: UInt64, _ reason: Reason, to peer: PeerID) {
    effects.append(.send(.failure(Failure(request: request, reason: reason)), to: peer))
  }

  mutating func receiveContinued(_ message: PeerProtocol.Continued, from peer: PeerID) {
    guard let activity = local[message.activity], activity.reservation?.peer == peer else { return }
    local[message.activity]?.reservation = nil
    guard message.delivered else { return }
    local[message.activity]?.isContinued = true
    local[message.activity]?.continuedBy.insert(peer)
    effects.append(.tell(activity.client, .continued(device: peers[peer]?.name ?? peer.description)))
  }

  /// Releases what the end of a session leaves behind: the peer's reservations of activities, and its waiting fetches.
  mutating func releaseReservations(of peer: PeerID) {
    for (id, activity) in local {
      if activity.reservation?.peer == peer { local[id]?.reservation = nil }
      if activity.saving != nil { local[id]?.saving?.fetches.removeAll { $0.peer == peer } }
    }
  }
}
