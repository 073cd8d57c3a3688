import Activity
import PeerProtocol

/// What one machine decides when an activity becomes current, a peer speaks or time passes: what is current here, who
/// offers what, who continues what. It holds no connection; the shell carries its effects out.
package struct Continuation: Sendable {
  package enum Event: Equatable, Sendable {
    /// Which teams this machine is in, and whose they are.
    case teamsChanged([TeamID: Set<UserID>])

    // Local programs. Each but `clientLeft` is answered once: by an effect that names the client.
    case becameCurrent(ActivityRecord, team: TeamID?, client: ClientID, user: UserID)
    case updated(ActivityRecord, client: ClientID, user: UserID)
    case resigned(ActivityID, client: ClientID, user: UserID)
    case continueRequested(ActivityID, client: ClientID, user: UserID)
    case streamRequested(ActivityID, client: ClientID, user: UserID)
    case streamAccepted(token: String, client: ClientID, user: UserID)
    /// The program behind the client is gone, or does not wait any more.
    case clientLeft(ClientID)

    // Peers.
    case advertSeen(Advert, team: TeamID)
    /// None of the peer's adverts is there any more.
    case advertLost(PeerID)
    /// - Parameter isFirst: This side's stream numbers are odd.
    case sessionReady(PeerID, Hello, isFirst: Bool)
    case sessionEnded(PeerID, Reason)
    /// The peer could not be reached.
    case connectFailed(PeerID, Reason)
    case received(Message, from: PeerID)

    case wake
    /// Nothing is offered from here any more.
    case stopping
  }

  package enum Effect: Equatable, Sendable {
    /// What the team's advert shows from now on.
    case announce(TeamID, current: ActivityRecord?, counter: UInt64)
    case send(Message, to: PeerID)
    /// Reach the peer now, if that is possible.
    case connect(PeerID)
    /// Some user's offers have changed.
    case offersChanged

    case tell(ClientID, ActivityEvent)
    case succeed(ClientID)
    case deliver(ClientID, ActivityRecord, device: String)
    case fail(ClientID, Reason)
    /// The client's connection and the stream are one from now on.
    /// - Parameter sendLimit: Bytes that the other side takes at first.
    case join(ClientID, StreamID, sendLimit: UInt64)

    /// Send `.wake` at this instant, and not at one that was named before. Nil: not at all.
    case wake(at: ContinuousClock.Instant?)
  }

  /// An activity that a program of this machine holds.
  struct LocalActivity: Equatable {
    var record: ActivityRecord
    let user: UserID
    let team: TeamID?
    let client: ClientID
    /// Greater for what became current later.
    let order: UInt64
    var isCurrent = true
    var isContinued = false
    /// The peer that fetched it and has not said what became of it.
    var reservation: (peer: PeerID, until: ContinuousClock.Instant)?
    /// Peers that continued it: they may open streams.
    var continuedBy: Set<PeerID> = []
    /// Fetches that wait for the app's fresh state.
    var saving: (until: ContinuousClock.Instant, fetches: [(peer: PeerID, request: UInt64)])?

    var isOffered: Bool { isCurrent && !isContinued }

    static func == (left: LocalActivity, right: LocalActivity) -> Bool { left.order == right.order }
  }

  struct Peer {
    var name: String
    /// The newest state that was seen, in an advert or over a session.
    var version: (epoch: UInt64, counter: UInt64)
    var isConnected = false
    var offers: [ActivityID: PeerOffer] = [:]
    /// Offers known from adverts are dropped then, unless the session confirmed them.
    var confirmUntil: ContinuousClock.Instant?
    var nextStream: UInt32 = 0
    var nextRequest: UInt64 = 1
  }

  struct PeerOffer {
    var record: ActivityRecord
    var source: VisibleOffer.Source
    var order: UInt64
  }

  /// A continuation that a local program asked for and has not got.
  struct Fetching {
    let peer: PeerID
    let user: UserID
    let deadline: ContinuousClock.Instant
    /// Nil when the program has left.
    var client: ClientID?
    /// Nil until there is a session to send the fetch on.
    var request: UInt64?
  }

  /// A continuation that a local program got.
  struct Continued {
    let peer: PeerID
    let user: UserID
    let supportsStreams: Bool
    let order: UInt64
  }

  /// A stream that waits for the app that shall accept it.
  struct WaitingStream {
    let stream: StreamID
    let activity: ActivityID
    let user: UserID
    let deadline: ContinuousClock.Instant
  }

  /// A stream that waits for the peer's answer.
  struct OpeningStream {
    let client: ClientID
    let deadline: ContinuousClock.Instant
  }

  var isStopping = false
  var membership: [TeamID: Set<UserID>] = [:]
  var local: [ActivityID: LocalActivity] = [:]
  /// What the peers of each team were told, and how often that changed.
  var announced: [TeamID: (offers: [ActivityID: ActivityRecord], shown: ActivityID?, counter: UInt64)] = [:]
  var peers: [PeerID: Peer] = [:]
  var fetching: [ActivityID: Fetching] = [:]
  var continued: [ActivityID: Continued] = [:]
  var waitingStreams: [String: WaitingStream] = [:]
  var openingStreams: [StreamID: OpeningStream] = [:]
  var lastOrder: UInt64 = 0
  var effects: [Effect] = []

  package init() {}

  package mutating func handle(_ event: Event, at time: Time) -> [Effect] {
    effects = []
    switch event {
    case .teamsChanged(let teams): changeTeams(teams)
    case .becameCurrent(let record, let team, let client, let user): becomeCurrent(record, team, client, user)
    case .updated(let record, let client, let user): update(record, client, user, time)
    case .resigned(let id, let client, let user): resign(id, client, user)
    case .continueRequested(let id, let client, let user): requestContinuation(id, client, user, time)
    case .streamRequested(let id, let client, let user): requestStream(id, client, user, time)
    case .streamAccepted(let token, let client, let user): acceptStream(token, client, user)
    case .clientLeft(let client): leave(client)
    case .advertSeen(let advert, let team): see(advert, team)
    case .advertLost(let peer): loseAdvert(peer)
    case .sessionReady(let peer, let hello, let isFirst): beginSession(peer, hello, isFirst, time)
    case .sessionEnded(let peer, let reason): endSession(peer, reason)
    case .connectFailed(let peer, let reason): failFetches(from: peer, reason, onlyUnsent: true)
    case .received(let message, let peer): receive(message, from: peer, time)
    case .wake: break
    case .stopping: stop()
    }
    passTime(time)
    announceChanges()
    effects.append(.wake(at: nextDeadline(time)))
    return effects
  }

  mutating func nextOrder() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }

  // MARK: Teams

  /// Whether `user` may use the team: its owners and root may.
  package func mayUse(_ team: TeamID, _ user: UserID) -> Bool {
    membership[team].map { user == 0 || $0.contains(user) } ?? false
  }

  private mutating func changeTeams(_ teams: [TeamID: Set<UserID>]) {
    membership = teams
    for peer in peers.keys where teams[peer.team] == nil {
      failFetches(from: peer, .teamNotFound)
      forget(peer)
    }
    for (id, activity) in local {
      if let team = activity.team, teams[team] == nil { local[id]?.isCurrent = false }
    }
    for team in announced.keys where teams[team] == nil { announced[team] = nil }
  }

  // MARK: What peers are told

  private func isOffered(_ activity: LocalActivity, to team: TeamID) -> Bool {
    activity.isOffered && (activity.team ?? team) == team && mayUse(team, activity.user)
  }

  /// Tells the peers and the adverts what has changed since they were told last.
  private mutating func announceChanges() {
    for team in membership.keys {
      let offered = local.values.filter { isOffered($0, to: team) }
      let offers = Dictionary(uniqueKeysWithValues: offered.map { ($0.record.id, $0.record.summary) })
      let shown = offered.max { $0.order < $1.order }?.record
      var state = announced[team] ?? ([:], nil, 0)
      guard announced[team] == nil || state.offers != offers || state.shown != shown?.id else { continue }
      let listeners = peers.filter { $0.key.team == team && $0.value.isConnected }.map(\.key)
      state.counter += 1
      for id in state.offers.keys where offers[id] == nil {
        tell(listeners, .withdraw(Withdraw(activity: id, counter: state.counter)))
      }
      for (id, summary) in offers where state.offers[id] != summary {
        tell(listeners, .offer(Offer(activity: summary, counter: state.counter)))
      }
      announced[team] = (offers, shown?.id, state.counter)
      effects.append(.announce(team, current: shown, counter: state.counter))
    }
  }

  private mutating func tell(_ peers: [PeerID], _ message: Message) {
    for peer in peers { effects.append(.send(message, to: peer)) }
  }

  // MARK: What users see

  /// What other machines offer to `user`, the newest first.
  package func offers(for user: UserID) -> [VisibleOffer] {
    peers.filter { mayUse($0.key.team, user) }.flatMap { id, peer in
      peer.offers.values.map { offer in
        let visible = VisibleOffer(activity: offer.record, peer: id, deviceName: peer.name, source: offer.source)
        return (order: offer.order, visible: visible)
      }
    }.sorted { $0.order > $1.order }.map(\.visible)
  }

  /// The one current activity of `user`.
  package func currentActivity(of user: UserID) -> ActivityRecord? {
    local.values.first { $0.user == user && $0.isOffered }?.record
  }

  private mutating func stop() {
    isStopping = true
    for (id, activity) in local where activity.isOffered {
      local[id]?.isCurrent = false
      effects.append(.tell(activity.client, .resigned(.shuttingDown)))
    }
  }

  // MARK: Time

  private mutating func passTime(_ time: Time) {
    for (id, activity) in local {
      if let date = activity.record.expirationDate, date <= time.date, activity.isOffered {
        local[id]?.isCurrent = false
        effects.append(.tell(activity.client, .resigned(.activityExpired)))
      }
      if let reservation = activity.reservation, reservation.until <= time.instant { local[id]?.reservation = nil }
      if let saving = activity.saving, saving.until <= time.instant { answerFetches(id, time, isFresh: false) }
    }
    for (id, fetch) in fetching where fetch.deadline <= time.instant {
      fetching[id] = nil
      let reason: Reason = fetch.request == nil ? .peerUnreachable : .peerTimedOut
      if let client = fetch.client { effects.append(.fail(client, reason)) }
    }
    for (token, waiting) in waitingStreams where waiting.deadline <= time.instant {
      waitingStreams[token] = nil
      effects.append(.send(.reset(Reset(stream: waiting.stream.number, reason: .appTimedOut)), to: waiting.stream.peer))
    }
    for (stream, opening) in openingStreams where opening.deadline <= time.instant {
      openingStreams[stream] = nil
      effects.append(.send(.reset(Reset(stream: stream.number, reason: .peerTimedOut)), to: stream.peer))
      effects.append(.fail(opening.client, .peerTimedOut))
    }
    for (id, peer) in peers {
      guard let until = peer.confirmUntil, until <= time.instant else { continue }
      peers[id]?.confirmUntil = nil
      removeOffers(of: id) { $0.source == .advert }
    }
  }

  private func nextDeadline(_ time: Time) -> ContinuousClock.Instant? {
    var deadlines: [ContinuousClock.Instant] = []
    for activity in local.values {
      if let date = activity.record.expirationDate, activity.isOffered {
        deadlines.append(time.instant + .seconds(max(0.001, min(date - time.date, 1e9))))
      }
      deadlines += [activity.reservation?.until, activity.saving?.until].compactMap(\.self)
    }
    deadlines += fetching.values.map(\.deadline)
    deadlines += waitingStreams.values.map(\.deadline)
    deadlines += openingStreams.values.map(\.deadline)
    deadlines += peers.values.compactMap(\.confirmUntil)
    return deadlines.min()
  }
}

extension ActivityRecord {
  /// What an offer says: everything but what only the one who continues it gets.
  fileprivate var summary: ActivityRecord {
    var summary = self
    summary.userInfo = .empty
    summary.webpageURL = nil
    summary.referrerURL = nil
    summary.targetContentIdentifier = nil
    summary.expirationDate = nil
    summary.needsSave = false
    return summary
  }
}
