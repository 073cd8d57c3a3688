// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides what one machine does when an activity becomes current, a peer speaks or time passes. It knows what is
/// current here, who offers what, and who continues what. It holds no connections. The shell carries out its effects.
///
/// Its state is in parts. Each keeps one table and its limits to itself, and returns what follows from a change.
package struct ContinuationCore: Sendable {
  package enum Event: Equatable, Sendable {
    /// The teams that this machine is in, and the users who own each.
    case teamsChanged([TeamID: Set<UserID>])

    // Local programs. Each event that has a client, except `clientLeft`, is answered once, by an effect that names the
    // client.
    case becameCurrent(ActivityRecord, team: TeamID?, client: ClientID, user: UserID)
    /// The user sends an activity to one device.
    case sent(ActivityRecord, to: PeerID, client: ClientID, user: UserID)
    case updated(ActivityRecord, client: ClientID, user: UserID)
    case resigned(ActivityID, client: ClientID, user: UserID)
    /// - Parameter from: The device that offers the activity. Nil for the one that offered it first.
    case continueRequested(ActivityID, from: DeviceID? = nil, client: ClientID, user: UserID)
    /// The user opens an activity here, for another program of this machine.
    case activityOpened(ActivityRecord, from: Origin, client: ClientID, user: UserID)
    case streamRequested(ActivityID, client: ClientID, user: UserID)
    case streamAccepted(token: String, client: ClientID, user: UserID)
    /// No program takes an activity that the user has opened.
    case activityDropped(ActivityID, user: UserID)
    /// The program behind the client has gone, or no longer waits.
    case clientLeft(ClientID)

    // Peers.
    case advertSeen(Advert, team: TeamID)
    /// None of the peer's adverts exists any longer.
    case advertLost(PeerID)
    /// - Parameter isFirst: Whether this side's stream numbers are odd.
    case sessionReady(PeerID, Hello, isFirst: Bool)
    case sessionEnded(PeerID, Reason)
    /// The peer could not be reached.
    case connectFailed(PeerID, Reason)
    case received(HandoffMessage, from: PeerID)
    /// A message about a stream that is not open yet, or no longer.
    case receivedOfStream(StreamMessage, from: PeerID)
    /// The peer has another name.
    case renamed(PeerID, String)
    /// The device was removed from its team.
    case deviceRemoved(PeerID)

    /// The users whose screens are all locked now. Their current activities are not offered.
    case screensLocked(Set<UserID>)
    /// Whether the machine is going to sleep. Nothing is offered then.
    case asleep(Bool)

    case wake
    /// The daemon is stopping. From now on, it offers nothing.
    case stopping
  }

  package enum Effect: Equatable, Sendable {
    /// Change what the team's advert shows.
    case announce(TeamID, current: ActivityRecord?, counter: UInt64)
    case send(HandoffMessage, to: PeerID)
    case sendOfStream(StreamMessage, to: PeerID)
    /// Reach the peer now, if possible.
    case connect(PeerID)
    /// End the session with the peer unless it gives a sign of life: it has not answered in time.
    case probe(PeerID)
    /// The offers to some user have changed.
    case offersChanged

    case tell(ClientID, ActivityEvent)
    case succeed(ClientID)
    /// - Parameter device: The name of the device that it comes from. Nil for what was opened here.
    case deliver(ClientID, ActivityRecord, device: String?, origin: Origin)
    case fail(ClientID, Reason)
    /// Join the client's connection and the stream: from now on, they are one.
    case join(ClientID, StreamID, FirstLimits)

    /// Send `.wake` at this instant, and not at one that was named before. Nil: do not send it.
    case wake(at: ContinuousClock.Instant?)
  }

  private var isStopping = false
  var order: Order
  var teams = TeamOwners()
  var local = LocalActivities()
  var announcements = Announcements()
  var peers = KnownPeers()
  var fetches = Fetches()
  var opened = OpenedActivities()
  var continued = ContinuedActivities()
  var openingStreams: OpeningStreams
  var waitingStreams = WaitingStreams()
  var appRequests = AppRequests()
  var effects: [Effect] = []

  /// - Parameters:
  ///   - openedCount: The number of streams that the previous daemon had opened, if this one takes over its streams.
  ///   - epoch: The epoch of this start of the daemon. Generations of offers begin after it, so that no earlier daemon
  ///     has given them.
  package init(openedCount: UInt32 = 0, epoch: UInt64 = 0) {
    openingStreams = OpeningStreams(openedCount: openedCount)
    order = Order(after: epoch)
  }

  /// The number of streams that this side has opened.
  package var openedCount: UInt32 { openingStreams.openedCount }

  package mutating func handle(_ event: Event, at time: Time) -> [Effect] {
    effects = []
    switch event {
    case .teamsChanged(let owners): changeTeams(owners, time)
    case .becameCurrent(_, _, let client, _) where isStopping, .sent(_, _, let client, _) where isStopping:
      effects.append(.fail(client, .shuttingDown))
    case .becameCurrent(let record, let team, let client, let user): becomeCurrent(record, team, client, user, time)
    case .sent(let record, let recipient, let client, let user): send(record, to: recipient, client, user, time)
    case .updated(let record, let client, let user): update(record, client, user, time)
    case .resigned(let id, let client, let user): resign(id, client, user, time)
    case .continueRequested(let id, let device, let client, let user):
      requestContinuation(id, device, client, user, time)
    case .activityOpened(let record, let origin, let client, let user): open(record, origin, client, user, time)
    case .activityDropped(let id, let user): _ = opened.take(id, by: user)
    case .streamRequested(let id, let client, let user): requestStream(id, client, user, time)
    case .streamAccepted(let token, let client, let user): acceptStream(token, client, user)
    case .clientLeft(let client): leave(client, time)
    case .advertSeen(let advert, let team): see(advert, team)
    case .advertLost(let peer): loseAdvert(peer)
    case .sessionReady(let peer, let hello, let isFirst): beginSession(peer, hello, isFirst, time)
    case .sessionEnded(let peer, let reason): endSession(peer, reason, time)
    case .connectFailed(let peer, let reason): connectFailed(peer, reason, time)
    case .received(let message, let peer): receive(message, from: peer, time)
    case .receivedOfStream(let message, let peer): receive(message, from: peer, time)
    case .renamed(let peer, let name): rename(peer, name)
    case .deviceRemoved(let device): removeDevice(device, time)
    case .screensLocked(let users): local.lockedUsers = users
    case .asleep(let isAsleep): local.isAsleep = isAsleep
    case .wake: break
    case .stopping:
      isStopping = true
      perform(local.handle(.withdrawn(.shuttingDown), at: time))
    }
    passTime(time)
    announceChanges()
    effects.append(.wake(at: nextDeadline(time)))
    return effects
  }
}
