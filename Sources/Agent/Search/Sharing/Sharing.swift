import Activity

/// Another machine of a team.
package struct SharingPeer: Hashable, Sendable {
  package let device: String
  package let team: String

  package init(device: String, team: String) {
    self.device = device
    self.team = team
  }
}

/// Decides what this machine asks others, and what it tells them, so that each has what the others share.
///
/// Each machine is asked what is new when its session begins, when it says that there is news, and after an hour
/// without news, because any message can be lost. One question is open at a time.
package struct Sharing: Sendable {
  package enum Event: Sendable {
    /// There is a session with a machine, and what is known of its log; nil if this machine does not share with it.
    /// Also if one or the other has changed.
    case connected(SharingPeer, LogPosition?)
    case disconnected(SharingPeer)
    case received(SharingMessage, from: SharingPeer)
    /// A page was applied. How far this machine has come.
    case applied(SharingPeer, LogPosition, isComplete: Bool)
    /// A page could not be applied. It is asked for again later.
    case failed(SharingPeer)
    /// What this machine shares may have changed.
    /// - generation: The name of this machine's log.
    /// - last: The number of its last line.
    case changed(generation: String, last: Int)
    /// It may be ``deadline``.
    case timePassed
  }

  package enum Effect: Equatable, Sendable {
    case send(SharingMessage, to: SharingPeer)
    /// Send the page that follows this position.
    case answer(SharingPeer, LogPosition)
    /// Apply the page, and report ``Event/applied(_:_:isComplete:)`` or ``Event/failed(_:)``.
    case apply(LogPage, from: SharingPeer)
  }

  private enum Question: Equatable {
    /// Nothing is asked.
    case none
    /// It was asked at a time, and is asked again at another time.
    case open(since: ContinuousClock.Instant, until: ContinuousClock.Instant)
    /// The answer is being applied.
    case applying
    /// It will be asked at this time.
    case later(ContinuousClock.Instant)
  }

  private struct Peer {
    var position: LogPosition
    let isShared: Bool
    var question = Question.none
    /// How far its log went by the news since it was asked.
    var news: LogPosition?
    var backoff = Backoff(Sharing.backoff)
  }

  private var peers: [SharingPeer: Peer] = [:]
  /// Kept over sessions.
  private var paces: [SharingPeer: SharingPace] = [:]
  /// What this machine shares.
  private var generation = ""
  private var last = 0
  /// When to tell others that it has changed.
  private var announcement: ContinuousClock.Instant?
  private let jitter: @Sendable () -> Double

  /// The first and the longest pause until a question is asked again. The other machine's user may not be logged in.
  static let backoff = Duration.seconds(10)...Duration.seconds(15 * 60)
  /// How long a machine that is quiet is not asked.
  static let refreshTime = Duration.seconds(60 * 60)
  /// The time after which a question counts as forgotten if the other machine asks something itself.
  static let answerTime = Duration.seconds(5)

  /// - Parameter jitter: The share of a pause that is waited, 0.5 to 1.
  package init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.5...1) }) { self.jitter = jitter }

  /// When to report that time has passed. Nil if nothing waits.
  package var deadline: ContinuousClock.Instant? {
    let questions = peers.values.lazy.compactMap { peer -> ContinuousClock.Instant? in
      switch peer.question {
      case .open(_, let time), .later(let time): time
      case .none, .applying: nil
      }
    }
    return [announcement, questions.min()].compactMap(\.self).min()
  }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .connected(let peer, let position):
      let before = peers[peer]
      peers[peer] = Peer(position: position ?? LogPosition(), isShared: position != nil)
      paces = paces.filter { !$0.value.isFull(at: now) }
      // It may have something from a time when this machine shared. It asks, and learns that there is nothing.
      guard position != nil else { return before?.isShared == false ? [] : [.send(.noLog, to: peer)] }
      // The other machine may not have noticed that this agent was away.
      return ask(peer, now) + [.send(.changed(generation: generation, last: last), to: peer)]
    case .disconnected(let peer):
      peers[peer] = nil
      return []
    case .received(let message, let peer): return received(message, peer, now)
    case .applied(let peer, let position, let isComplete):
      guard peers[peer]?.question == .applying else { return [] }
      peers[peer]?.question = .none
      peers[peer]?.position = position
      peers[peer]?.backoff.reset()
      guard isComplete, peers[peer]?.news.map(position.includes) != false else { return ask(peer, now) }
      let refresh = now + Self.refreshTime * jitter()
      peers[peer]?.question = .later(refresh)
      return []
    case .failed(let peer):
      guard peers[peer]?.question == .applying else { return [] }
      let jitter = self.jitter()
      let pause = peers[peer]?.backoff.next(jitter: jitter) ?? .zero
      peers[peer]?.question = .later(now + pause)
      return []
    case .changed(let generation, let last): return changed(generation, last, now)
    case .timePassed: return timePassed(now)
    }
  }

  private mutating func received(
    _ message: SharingMessage,
    _ peer: SharingPeer,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    guard let state = peers[peer], state.isShared || message.isPull else { return [] }
    switch message {
    case .pull(let position):
      guard paces[peer, default: SharingPace(at: now)].answers.take(at: now) else { return [] }
      guard state.isShared else { return [.send(.page(.nothing), to: peer)] }
      return [.answer(peer, position)] + askAgain(peer, now)
    case .page(let page):
      guard case .open = state.question, page.answers(state.position) else {
        // An earlier question was answered twice, and this answer may be the newer one.
        return received(.changed(generation: page.generation, last: page.last), peer, now)
      }
      peers[peer]?.question = .applying
      // A page whose lines mean nothing here is written, too: how far this machine has come.
      paces[peer, default: SharingPace(at: now)].lines.charge(Double(max(page.lines.count, 1)), at: now)
      return [.apply(page, from: peer)]
    case .changed(let generation, let last):
      let news = LogPosition(generation: generation, after: last)
      switch state.question {
      case .none, .later: return state.position.includes(news) ? [] : ask(peer, now)
      case .open, .applying:
        peers[peer]?.news = news
        return []
      }
    }
  }

  /// Its agent runs now, even if it did not when it was asked. If it was, it answers soon.
  private mutating func askAgain(_ peer: SharingPeer, _ now: ContinuousClock.Instant) -> [Effect] {
    guard case .open(let since, let until) = peers[peer]?.question else { return [] }
    peers[peer]?.backoff.reset()
    if since + Self.answerTime <= now { return ask(peer, now) }
    peers[peer]?.question = .open(since: since, until: min(until, now + Self.answerTime))
    return []
  }

  private mutating func changed(_ generation: String, _ last: Int, _ now: ContinuousClock.Instant) -> [Effect] {
    let before = self.generation
    guard generation != before || last != self.last else { return [] }
    (self.generation, self.last) = (generation, last)
    // Nobody knows of a log that was not known here.
    guard !before.isEmpty else { return [] }
    announcement = announcement ?? now + Limits.sharedChangeTime
    guard generation != before else { return [] }
    // A new index knows nothing of other machines. What is being applied tells how far it has come.
    let others = peers.filter { $0.value.isShared && $0.value.question != .applying }.keys
    return others.flatMap { peer in
      peers[peer]?.position = LogPosition()
      return ask(peer, now)
    }
  }

  private mutating func ask(_ peer: SharingPeer, _ now: ContinuousClock.Instant) -> [Effect] {
    guard let state = peers[peer] else { return [] }
    let ready = paces[peer]?.lines.ready(at: now) ?? now
    guard ready <= now else {
      peers[peer]?.question = .later(ready)
      return []
    }
    let jitter = self.jitter()
    let pause = peers[peer]?.backoff.next(jitter: jitter) ?? .zero
    peers[peer]?.question = .open(since: now, until: now + pause)
    peers[peer]?.news = nil
    return [.send(.pull(state.position), to: peer)]
  }

  private mutating func timePassed(_ now: ContinuousClock.Instant) -> [Effect] {
    var effects: [Effect] = []
    for (peer, state) in peers {
      switch state.question {
      case .open(_, let time) where time <= now, .later(let time) where time <= now: effects += ask(peer, now)
      default: break
      }
    }
    if let announcement, announcement <= now {
      self.announcement = nil
      effects += peers.filter(\.value.isShared).keys.map { .send(.changed(generation: generation, last: last), to: $0) }
    }
    return effects
  }
}
