import Activity
import PeerProtocol

/// What peers are told about this machine's activities (Protocol.md sections 2, 5).
extension ContinuationCore {
  /// Returns why nothing that the user holds is offered at the moment. Nil if nothing prevents it.
  package func withholding(from user: UserID) -> Reason? {
    if isAsleep { return .asleep }
    if lockedUsers.contains(user) { return .screenLocked }
    return currentActivity(of: user)?.isEligibleForHandoff == false ? .notEligible : nil
  }

  private func isOffered(_ activity: LocalActivity, to team: TeamID) -> Bool {
    activity.isOffered && withholding(from: activity.user) == nil && (activity.team ?? team) == team
      && mayUse(team, activity.user)
  }

  /// Tells the peers and the adverts what has changed since they were last told.
  mutating func announceChanges() {
    for team in membership.keys {
      let offered = local.values.filter { isOffered($0, to: team) }
      let offers = Dictionary(uniqueKeysWithValues: offered.map { ($0.record.id, $0.record.summary) })
      let shown = offered.max { $0.order < $1.order }?.record
      var state = announced[team] ?? Announced()
      guard announced[team] == nil || state.offers != offers || state.shown != shown?.id else { continue }
      let listeners = peers.filter { $0.key.team == team && $0.value.isConnected }.map(\.key)
      state.counter += 1
      for id in state.offers.keys where offers[id] == nil {
        tell(listeners, .withdraw(Withdraw(activity: id, counter: state.counter)))
      }
      for (id, summary) in offers where state.offers[id] != summary {
        tell(listeners, .offer(Offer(activity: summary, counter: state.counter)))
      }
      announced[team] = Announced(offers: offers, shown: shown?.id, counter: state.counter)
      effects.append(.announce(team, current: shown, counter: state.counter))
    }
  }

  private mutating func tell(_ peers: [PeerID], _ message: Message) {
    for peer in peers { effects.append(.send(message, to: peer)) }
  }
}

extension ActivityRecord {
  /// What an offer says: everything except what only the machine that continues it receives.
  fileprivate var summary: ActivityRecord {
    var summary = self
    summary.userInfo = .empty
    summary.hasWebPage = webpageURL != nil
    // A host that is invalid or too long could not be shown to anyone.
    let host = webpageURL.flatMap { WebPage($0) }?.hostName
    summary.webpageHost = host.flatMap { WebPage.isHostName($0) ? $0 : nil }
    summary.webpageURL = nil
    summary.referrerURL = nil
    summary.targetContentIdentifier = nil
    summary.expirationDate = nil
    summary.needsSave = false
    return summary
  }
}
