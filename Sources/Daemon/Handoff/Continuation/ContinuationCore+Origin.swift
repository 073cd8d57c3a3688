// SPDX-License-Identifier: Apache-2.0

import Activity

/// This machine as the origin: its programs' activities, and the peers that fetch them (Protocol.md section 6).
extension ContinuationCore {
  mutating func becomeCurrent(
    _ record: ActivityRecord,
    _ team: TeamID?,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) {
    if let team, !mayUse(team, user) { return effects.append(.fail(client, .teamNotFound)) }
    guard !record.isPageOfThisMachineOnly else { return effects.append(.fail(client, .urlInvalid)) }
    do {
      perform(try local.becomeCurrent(record, team, client, user, &order, time))
    } catch {
      effects.append(.fail(client, error))
    }
  }

  mutating func send(
    _ record: ActivityRecord,
    to recipient: PeerID,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) {
    guard mayUse(recipient.team, user) else { return effects.append(.fail(client, .teamNotFound)) }
    guard !record.isPageOfThisMachineOnly else { return effects.append(.fail(client, .urlInvalid)) }
    do {
      perform(try local.send(record, to: recipient, client, user, &order, time))
    } catch {
      return effects.append(.fail(client, error))
    }
    if !peers.isConnected(recipient) { effects.append(.connect(recipient)) }
  }

  /// Ends what is sent to a device that was removed from its team.
  mutating func removeDevice(_ device: PeerID, _ time: Time) {
    perform(local.handle(.withdrawn(.certificateRevoked), at: time) { $0.recipient == device })
  }

  /// The devices that activities are sent to.
  package var recipients: Set<PeerID> { local.recipients }

  mutating func update(_ record: ActivityRecord, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let activity = local[record.id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard activity.record.activityType == record.activityType else {
      return effects.append(.fail(client, .activityTypeInvalid))
    }
    guard !record.isPageOfThisMachineOnly else { return effects.append(.fail(client, .urlInvalid)) }
    effects.append(.succeed(client))
    perform(local.handle(.updated(record), record.id, at: time))
  }

  mutating func resign(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let activity = local[id], activity.user == user else {
      return effects.append(.fail(client, .activityNotFound))
    }
    effects.append(.succeed(client))
    perform(local.handle(.withdrawn(.activityWithdrawn), id, at: time))
  }

  mutating func leave(_ client: ClientID, _ time: Time) {
    for activity in local.held(by: client) {
      let id = activity.record.id
      perform(local.remove(id, at: time))
      for stream in waitingStreams.remove(of: id) { refuse(stream, .streamReset) }
    }
    fetches.leave(client)
    for stream in openingStreams.remove(of: client) { refuse(stream, .streamReset) }
  }

  // MARK: Peers

  mutating func receiveFetch(_ fetch: Fetch, from peer: PeerID, _ time: Time) {
    guard let activity = local[fetch.activity], activity.isMeant(for: peer, teams) else {
      return refuse(fetch.request, .activityNotFound, to: peer)
    }
    var withheld = local.withholding(activity)
    if withheld == nil, activity.asksAppForFetch, !appRequests.take(for: peer, at: time.instant) {
      withheld = .limitReached
    }
    perform(local.handle(.fetched(by: peer, request: fetch.request, withheld: withheld), fetch.activity, at: time))
  }

  mutating func receiveContinued(_ message: Continued, from peer: PeerID, _ time: Time) {
    perform(local.handle(.reported(by: peer, delivered: message.delivered), message.activity, at: time))
  }

  /// Releases what the end of a session leaves behind: the peer's reservations of activities, and its waiting fetches.
  mutating func releaseReservations(of peer: PeerID, _ time: Time) {
    perform(local.handle(.sessionEnded(peer), at: time))
  }

  // MARK: Effects of activities

  mutating func perform(_ effects: [LocalActivities.Effect]) {
    for (activity, effect) in effects { perform(effect, activity) }
  }

  private mutating func perform(_ effect: LocalActivity.Effect, _ activity: LocalActivity) {
    switch effect {
    case .tell(let event): effects.append(.tell(activity.client, event))
    case .tellContinued(let peer):
      effects.append(.tell(activity.client, .continued(device: peers.name(of: peer))))
    case .give(let request, let peer):
      effects.append(.send(.payload(Payload(request: request, activity: activity.record)), to: peer))
    case .refuse(let request, let reason, let peer): refuse(request, reason, to: peer)
    }
  }

  private mutating func refuse(_ request: UInt64, _ reason: Reason, to peer: PeerID) {
    effects.append(.send(.failure(Failure(request: request, reason: reason)), to: peer))
  }
}
