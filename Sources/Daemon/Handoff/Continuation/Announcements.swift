// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the peers of each of this machine's teams were last told: the current activities, at most one of each kind and
/// user, and what is sent to a single peer. Nobody else can tell that something is sent, not even by a counter.
struct Announcements: Sendable {
  /// What has changed for a team's peers.
  struct Change {
    let messages: [HandoffMessage]
    /// The activity that the advert shows.
    let shown: ActivityRecord?
    let counter: UInt64
  }

  private struct Announced {
    var offers: [ActivityID: ActivityRecord] = [:]
    /// The activity that the advert shows.
    var shown: ActivityID?
    /// How many times that changed.
    var counter: UInt64 = 0
  }

  private var announced: [TeamID: Announced] = [:]
  /// What is sent to each peer, as far as it was told in its session.
  private var sent: [PeerID: [ActivityID: ActivityRecord]] = [:]

  /// Returns what a peer of the team is told at the start of a session.
  func offers(to team: TeamID) -> [Offer] {
    guard let announced = announced[team] else { return [] }
    return announced.offers.values.map { Offer(activity: $0, counter: announced.counter) }
  }

  /// Replaces what is offered to the team.
  ///
  /// - Returns: Nil if the same was offered before.
  mutating func change(_ team: TeamID, to activities: [LocalActivity]) -> Change? {
    let offers = Dictionary(uniqueKeysWithValues: activities.map { ($0.record.id, $0.record.summary) })
    // An advert has room for one, and an older version knows no others.
    let main = activities.filter { $0.record.currentKind == .main }
    let shown = (main.isEmpty ? activities : main).max { $0.order < $1.order }?.record
    if let earlier = announced[team], earlier.offers == offers, earlier.shown == shown?.id { return nil }
    let earlier = announced[team] ?? Announced()
    let counter = earlier.counter + 1
    announced[team] = Announced(offers: offers, shown: shown?.id, counter: counter)
    let messages = Self.messages(from: earlier.offers, to: offers, counter: counter, isSent: false)
    return Change(messages: messages, shown: shown, counter: counter)
  }

  /// Forgets what was offered to teams that this machine has left.
  mutating func keep(only teams: TeamOwners) {
    announced = announced.filter { teams.contains($0.key) }
    sent = sent.filter { teams.contains($0.key.team) }
  }

  // MARK: One peer

  /// The peers that know of something that is sent to them.
  var recipients: Set<PeerID> { Set(sent.keys) }

  /// Replaces what is sent to a peer that has a session.
  ///
  /// - Returns: What the peer must be told.
  mutating func change(_ peer: PeerID, to activities: [LocalActivity]) -> [HandoffMessage] {
    let offers = Dictionary(uniqueKeysWithValues: activities.map { ($0.record.id, $0.record.summary) })
    let earlier = sent.removeValue(forKey: peer) ?? [:]
    if !offers.isEmpty { sent[peer] = offers }
    return Self.messages(from: earlier, to: offers, counter: announced[peer.team]?.counter ?? 0, isSent: true)
  }

  /// Notes that the peer's session has ended, or that another one takes its place. Nothing counts as told in the next
  /// one.
  mutating func endSession(with peer: PeerID) { sent[peer] = nil }

  /// Withdrawals come first, because a peer takes only so many offers.
  private static func messages(
    from earlier: [ActivityID: ActivityRecord],
    to offers: [ActivityID: ActivityRecord],
    counter: UInt64,
    isSent: Bool
  ) -> [HandoffMessage] {
    let withdrawn = earlier.keys.filter { offers[$0] == nil }
    let offered = offers.values.filter { earlier[$0.id] != $0 }
    return withdrawn.map { .withdraw(Withdraw(activity: $0, counter: counter)) }
      + offered.map { .offer(Offer(activity: $0, counter: counter, isSent: isSent)) }
  }
}

extension ActivityRecord {
  /// What an offer says: everything except what only the machine that continues it receives.
  var summary: ActivityRecord {
    var summary = self
    summary.userInfo = .empty
    // A host that is invalid or too long could not be shown to anyone, and a page of this machine is none of another.
    let page = webpageURL.flatMap { WebPage($0) }.flatMap { $0.isOfThisMachineOnly ? nil : $0 }
    summary.webpageHost = page.flatMap { WebPage.isHostName($0.hostName) ? $0.hostName : nil }
    summary.hasWebPage = summary.webpageHost != nil
    summary.webpageURL = nil
    summary.referrerURL = nil
    summary.targetContentIdentifier = nil
    summary.persistentIdentifier = nil
    summary.expirationDate = nil
    summary.needsSave = false
    return summary
  }
}
