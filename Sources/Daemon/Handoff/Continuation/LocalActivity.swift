// SPDX-License-Identifier: Apache-2.0

import Activity

/// An activity that a program of this machine holds, and the peers that fetch it (Protocol.md section 6).
///
/// It is its user's current one, or it is sent to one device. Both live the same life; "current" below means that it is
/// offered.
///
/// Its life: `current → withdrawn`, `current → continued`, and `withdrawn → continued` if a peer had fetched it before.
/// A program that makes the activity current again starts a new life; fetches go on.
///
/// A fetch: `fetched → saving → reserved → delivered`, without `saving` if the app's state is fresh. While the app is
/// `saving`, further fetches wait with it. The first that is answered gets the reservation, and the others are refused.
/// A reservation ends with the peer's report, the end of its session, or its time.
///
/// What was copied stays current, however many peers fetch it (``CurrentKind/staysOffered``).
struct LocalActivity: Equatable, Sendable {
  /// The time from a payload until the peer reports the outcome. After that, the activity may go to another peer.
  static let reservationTime = Duration.seconds(30)
  /// The time from the handover of a page until the other machine has its title. What that machine offers of the site
  /// until then is the page.
  static let handoverTime = Duration.seconds(30)
  /// The time in which pages change their first title, as those do that say first that they load.
  static let titleSettlingTime = Duration.seconds(5)

  enum Event: Equatable, Sendable {
    /// The program that holds the activity has made it current, or has sent it.
    case becameCurrent
    case updated(ActivityRecord)
    /// It is no longer current, for this reason.
    case withdrawn(Reason)
    /// The program that holds the activity has gone. This is its last event.
    case left
    /// - Parameter withheld: Why the activity is not offered at the moment; nil if nothing prevents it.
    case fetched(by: PeerID, request: UInt64, withheld: Reason?)
    /// The peer that fetched the activity reports whether an app has it.
    case reported(by: PeerID, delivered: Bool)
    /// What a peer offers.
    case offered(ActivityRecord, by: PeerID)
    case sessionEnded(PeerID)
    case wake
  }

  enum Effect: Equatable, Sendable {
    /// Tell the program that holds the activity.
    case tell(ActivityEvent)
    case tellContinued(by: PeerID)
    /// Answer a fetch with the activity, or with an error.
    case give(request: UInt64, to: PeerID)
    case refuse(request: UInt64, Reason, to: PeerID)
  }

  private enum State: Equatable {
    /// It is the user's current activity, or waits for the device that it is sent to.
    case current
    case withdrawn(Reason)
    /// Another machine has it.
    case continued
  }

  /// The peer that got the activity and has not reported the outcome.
  private struct Reservation: Equatable {
    let peer: PeerID
    let until: ContinuousClock.Instant
  }

  private struct Handover: Equatable {
    let peer: PeerID
    /// The title that the page has there. Nil until it has loaded.
    var title: String?
    /// Until when what the peer offers of the site is this page.
    var until: ContinuousClock.Instant
  }

  private struct WaitingFetch: Equatable {
    let peer: PeerID
    let request: UInt64
  }

  /// The wait for the app's fresh state.
  private struct Saving: Equatable {
    let until: ContinuousClock.Instant
    var fetches: [WaitingFetch]
  }

  private(set) var record: ActivityRecord
  let user: UserID
  /// The only team that sees it. Nil for all teams of the user.
  let team: TeamID?
  /// The only device that sees it, if it is sent. Nil if it is its user's current activity.
  let recipient: PeerID?
  let client: ClientID
  /// The order in which activities became current or were sent: greater for later ones.
  let order: UInt64
  /// The peers that continued the activity. They may open streams.
  private(set) var continuedBy: Set<PeerID>
  /// The peer that continued it last, and when.
  private var lastHandover: Handover?
  private var state = State.current
  private var reservation: Reservation?
  private var saving: Saving?

  /// - Parameter earlier: The same activity, if a program held it until now.
  init(
    _ record: ActivityRecord,
    user: UserID,
    team: TeamID?,
    recipient: PeerID? = nil,
    client: ClientID,
    order: UInt64,
    after earlier: LocalActivity? = nil
  ) {
    (self.record, self.user, self.client, self.order) = (record, user, client, order)
    (self.team, self.recipient) = (recipient?.team ?? team, recipient)
    continuedBy = earlier?.continuedBy ?? []
    (reservation, saving) = (earlier?.reservation, earlier?.saving)
  }

  /// Whether it is offered to other machines, unless something withholds it.
  var isOffered: Bool { state == .current }

  /// Whether peers in `team` may have it, unless it is sent to another device.
  func isMeant(for team: TeamID, _ teams: TeamOwners) -> Bool {
    (self.team ?? team) == team && teams.mayUse(team, user)
  }

  /// Whether this peer may have it.
  func isMeant(for peer: PeerID, _ teams: TeamOwners) -> Bool {
    (recipient ?? peer) == peer && isMeant(for: peer.team, teams)
  }

  /// Whether it is what a peer offers, as far as a person can tell: the user has it here, or it was continued there. A
  /// page that has just been continued counts while it loads there, and under the title that it has then.
  func isLike(_ offer: VisibleOffer, at now: ContinuousClock.Instant) -> Bool {
    switch state {
    case .current, .continued, .withdrawn(.superseded): break
    case .withdrawn: return false
    }
    let own = record.summary
    guard own.activityType.hasBytes(of: offer.activity.activityType), own.webpageHost == offer.activity.webpageHost
    else {
      return false
    }
    if let title = own.title, offer.activity.title?.hasBytes(of: title) == true { return true }
    guard own.webpageHost != nil, let lastHandover, lastHandover.peer.device == offer.peer.device else { return false }
    guard let title = offer.activity.ownTitle else { return now < lastHandover.until }
    return lastHandover.title?.hasBytes(of: title) ?? false
  }

  /// The first title of the site after a handover is that of the page, and what it becomes soon.
  private mutating func note(_ offer: ActivityRecord, _ peer: PeerID, _ time: Time) {
    guard let title = offer.ownTitle, let lastHandover, lastHandover.peer == peer, time.instant < lastHandover.until
    else { return }
    let own = record.summary
    guard own.activityType.hasBytes(of: offer.activityType), own.webpageHost == offer.webpageHost else { return }
    if lastHandover.title == nil { self.lastHandover?.until = time.instant + Self.titleSettlingTime }
    // With the title that it has here, it has loaded.
    if own.title?.hasBytes(of: title) == true { self.lastHandover?.until = time.instant }
    self.lastHandover?.title = title
  }

  /// The peer that got the activity and has not reported the outcome.
  var reservedBy: PeerID? { reservation?.peer }

  /// How many fetches wait for the app's fresh state.
  var waitingFetchCount: Int { saving?.fetches.count ?? 0 }

  /// When ``Event/wake`` is due next.
  func deadline(_ time: Time) -> ContinuousClock.Instant? {
    let expiry = isOffered ? record.expirationDate : nil
    // An instant has no room for every date.
    let expires = expiry.map { time.instant + .seconds(max(0.001, min($0 - time.date, 1e9))) }
    return [expires, reservation?.until, saving?.until].compactMap(\.self).min()
  }

  mutating func handle(_ event: Event, at time: Time) -> [Effect] {
    switch event {
    case .becameCurrent:
      let beginning = Effect.tell(recipient == nil ? .current : .sent)
      guard saving != nil else { return [beginning] }
      return [beginning] + (record.needsSave ? [.tell(.willSave)] : answerFetches(time, isFresh: true))
    case .updated(let record):
      self.record = record
      return record.needsSave ? [] : answerFetches(time, isFresh: true)
    case .withdrawn(let reason): return withdraw(reason)
    case .left: return (saving?.fetches ?? []).map { .refuse(request: $0.request, .activityWithdrawn, to: $0.peer) }
    case .fetched(let peer, let request, let withheld):
      return fetch(WaitingFetch(peer: peer, request: request), withheld, time)
    case .reported(let peer, let delivered):
      guard reservation?.peer == peer else { return [] }
      reservation = nil
      guard delivered else { return [] }
      state = .continued
      continuedBy.insert(peer)
      lastHandover = Handover(peer: peer, until: time.instant + Self.handoverTime)
      return [.tellContinued(by: peer)]
    case .offered(let offer, let peer):
      note(offer, peer, time)
      return []
    case .sessionEnded(let peer):
      if reservation?.peer == peer { reservation = nil }
      saving?.fetches.removeAll { $0.peer == peer }
      return []
    case .wake: return wake(time)
    }
  }

  private mutating func withdraw(_ reason: Reason) -> [Effect] {
    guard state == .current else { return [] }
    state = .withdrawn(reason)
    return [.tell(.resigned(reason))]
  }

  private mutating func wake(_ time: Time) -> [Effect] {
    var effects: [Effect] = []
    if let date = record.expirationDate, date <= time.date { effects += withdraw(.activityExpired) }
    if let reservation, reservation.until <= time.instant { self.reservation = nil }
    if let saving, saving.until <= time.instant { effects += answerFetches(time, isFresh: false) }
    return effects
  }

  // MARK: Fetches

  /// Whether another peer than `peer` has the activity, or is getting it.
  private func isTaken(for peer: PeerID) -> Bool {
    state == .continued || reservation.map { $0.peer != peer } == true
  }

  /// Whether the app has to save before a fetch can be answered, and does not save already.
  var asksAppForFetch: Bool { record.needsSave && saving == nil }

  private mutating func fetch(_ fetch: WaitingFetch, _ withheld: Reason?, _ time: Time) -> [Effect] {
    if let reason = objection(to: fetch.peer) ?? withheld { return [refuse(fetch, reason)] }
    guard (saving?.fetches ?? []).count(where: { $0.peer == fetch.peer }) < Limits.fetchesPerPeer else {
      return [refuse(fetch, .limitReached)]
    }
    if saving != nil {
      saving?.fetches.append(fetch)
      return []
    }
    guard record.needsSave else { return [give(fetch, time)] }
    saving = Saving(until: time.instant + Limits.saveTime, fetches: [fetch])
    return [.tell(.willSave)]
  }

  private func objection(to peer: PeerID) -> Reason? {
    if isTaken(for: peer) { return .alreadyContinued }
    return state == .current ? nil : .activityWithdrawn
  }

  /// Answers the fetches that waited for the app: with its fresh state, or with its last state, or with an error if it
  /// never provided any.
  private mutating func answerFetches(_ time: Time, isFresh: Bool) -> [Effect] {
    let fetches = saving?.fetches ?? []
    saving = nil
    return fetches.map { fetch in
      if isTaken(for: fetch.peer) { return refuse(fetch, .alreadyContinued) }
      return isFresh || record.userInfo != .empty ? give(fetch, time) : refuse(fetch, .appTimedOut)
    }
  }

  private mutating func give(_ fetch: WaitingFetch, _ time: Time) -> Effect {
    if record.currentKind.staysOffered {
      // Nobody else waits for the report, so the peer need not give one before it opens a stream.
      continuedBy.insert(fetch.peer)
    } else {
      reservation = Reservation(peer: fetch.peer, until: time.instant + Self.reservationTime)
    }
    return .give(request: fetch.request, to: fetch.peer)
  }

  private func refuse(_ fetch: WaitingFetch, _ reason: Reason) -> Effect {
    .refuse(request: fetch.request, reason, to: fetch.peer)
  }
}

extension ActivityRecord {
  /// Nil if there is none, or only the name of the site, as long as a page loads.
  fileprivate var ownTitle: String? {
    title.flatMap { title in webpageHost?.hasBytes(of: title) == true ? nil : title }
  }
}
