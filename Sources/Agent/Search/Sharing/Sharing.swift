// SPDX-License-Identifier: Apache-2.0

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
/// When a session begins, what is known of the other machine's log is read from the index, and what that machine sends
/// waits. Then it is asked what is new; and again when it says that there is news, and after an hour without news,
/// because any message can be lost. One question is open at a time.
package struct Sharing: Sendable {
  /// The time after a change until the other machines are told.
  package static let sharedChangeTime = Duration.seconds(2)

  package enum Event: Sendable {
    /// The teams with which this machine shares from now on, with the devices that were removed from each.
    case shares([String: Set<String>])
    /// A session with a machine has begun. People call it by its name.
    case connected(SharingPeer, name: String)
    case disconnected(SharingPeer)
    /// All sessions are gone.
    case disconnectedAll
    /// The end of this machine's own log, and what is known of the log of another machine. Nil if they cannot be read.
    case positionRead(SharingPeer, (own: LogPosition, known: LogPosition)?)
    case received(SharingMessage, from: SharingPeer)
    /// The page for a machine was read. Nil if it cannot be read.
    case pageRead(SharingPeer, LogPage?)
    /// A page was applied. How far this machine has come.
    case applied(SharingPeer, LogPosition, isComplete: Bool)
    /// A page could not be applied. It is asked for again later.
    case failed(SharingPeer)
    /// What this machine shares may have changed.
    case indexChanged
    /// The end of this machine's own log. Nil if it cannot be read.
    case endRead(LogPosition?)
    /// It may be ``deadline``.
    case timePassed
  }

  package enum Effect: Equatable, Sendable {
    case send(SharingMessage, to: SharingPeer)
    /// Report ``Event/positionRead(_:_:)``.
    case readPosition(SharingPeer)
    /// Read the page that follows this position, and report ``Event/pageRead(_:_:)``.
    case readPage(SharingPeer, after: LogPosition)
    /// Report ``Event/endRead(_:)``.
    case readEnd
    /// Apply the page, and report ``Event/applied(_:_:isComplete:)`` or ``Event/failed(_:)``.
    case apply(LogPage, from: SharingPeer, name: String)
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

  /// A machine with a session.
  private struct Peer {
    let name: String
    /// What it has sent while its position is read. Nil if that is not being read.
    var waiting: [SharingMessage]?
    /// Whether its position could not be read.
    var hasFailed = false
    /// Whether this machine shares with it. Nil until that was told to it.
    var isShared: Bool?
    var position = LogPosition()
    var question = Question.none
    /// How far its log went by the news since it was asked.
    var news: LogPosition?
    var backoff = Backoff(Sharing.backoff)
  }

  private var peers: [SharingPeer: Peer] = [:]
  /// Kept over sessions.
  private var paces: [SharingPeer: SharingPace] = [:]
  /// The machines for which a page is read. Kept over sessions, too.
  private var answering: Set<SharingPeer> = []
  /// The teams with which this machine shares, with the devices that were removed from each.
  private var shared: [String: Set<String>] = [:]
  /// The end of this machine's own log.
  private var own = LogPosition()
  /// Whether that is being read, and whether the index has changed since then.
  private var reading = (isReading: false, again: false)
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
    case .shares(let teams):
      let before = shared
      shared = teams
      return peers.keys.filter { before.contains($0) != teams.contains($0) }.flatMap { open($0, now) }
    case .connected(let peer, let name):
      peers[peer] = Peer(name: name)
      return open(peer, now)
    case .disconnected(let peer):
      peers[peer] = nil
      return []
    case .disconnectedAll:
      peers = [:]
      return []
    case .positionRead(let peer, let read):
      guard let messages = peers[peer]?.waiting else { return [] }
      peers[peer]?.waiting = nil
      guard let read else {
        peers[peer]?.hasFailed = true
        return []
      }
      return changed(read.own, now) + begin(peer, read.known, now) + messages.flatMap { received($0, peer, now) }
    case .received(let message, let peer): return received(message, peer, now)
    case .pageRead(let peer, let page):
      answering.remove(peer)
      // It may have been turned off meanwhile.
      guard let page, peers[peer] != nil, shared.contains(peer) else { return [] }
      return [.send(.page(page), to: peer)]
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
    case .indexChanged: return readEnd()
    case .endRead(let end):
      let again = reading.again
      reading = (false, false)
      var effects: [Effect] = []
      if let end {
        effects = changed(end, now)
        for peer in peers.filter(\.value.hasFailed).keys { effects += open(peer, now) }
      }
      return again ? effects + readEnd() : effects
    case .timePassed: return timePassed(now)
    }
  }

  /// Begins to speak with a machine, or to do so in another way. Its messages wait until its position is known.
  private mutating func open(_ peer: SharingPeer, _ now: ContinuousClock.Instant) -> [Effect] {
    guard shared.contains(peer) else { return begin(peer, nil, now) }
    peers[peer]?.hasFailed = false
    if peers[peer]?.waiting == nil { peers[peer]?.waiting = [] }
    return [.readPosition(peer)]
  }

  /// - Parameter position: What is known of the machine's log. Nil if this machine does not share with it.
  private mutating func begin(
    _ peer: SharingPeer,
    _ position: LogPosition?,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    guard let before = peers[peer] else { return [] }
    peers[peer] = Peer(name: before.name, isShared: position != nil, position: position ?? LogPosition())
    paces = paces.filter { !$0.value.isFull(at: now) }
    // It may have something from a time when this machine shared. It asks, and learns that there is nothing.
    guard position != nil else { return before.isShared == false ? [] : [.send(.noLog, to: peer)] }
    // The other machine may not have noticed that this agent was away.
    return ask(peer, now) + [.send(news, to: peer)]
  }

  private mutating func received(
    _ message: SharingMessage,
    _ peer: SharingPeer,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    guard let state = peers[peer] else { return [] }
    if let count = state.waiting?.count {
      if count < Limits.undeliveredIndexMessagesPerPeer { peers[peer]?.waiting?.append(message) }
      return []
    }
    guard let isShared = state.isShared, isShared || message.isPull else { return [] }
    switch message {
    case .pull(let position):
      guard paces[peer, default: SharingPace(at: now)].answers.take(at: now) else { return [] }
      guard isShared else { return [.send(.page(.nothing), to: peer)] }
      let isFirst = answering.insert(peer).inserted
      return (isFirst ? [.readPage(peer, after: position)] : []) + askAgain(peer, now)
    case .page(let page):
      guard case .open = state.question, page.answers(state.position) else {
        // An earlier question was answered twice, and this answer may be the newer one.
        return received(.changed(generation: page.generation, last: page.last), peer, now)
      }
      peers[peer]?.question = .applying
      // A page whose lines mean nothing here is written, too: how far this machine has come.
      paces[peer, default: SharingPace(at: now)].lines.charge(Double(max(page.lines.count, 1)), at: now)
      return [.apply(page, from: peer, name: state.name)]
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

  /// What others are told of this machine's own log.
  private var news: SharingMessage { .changed(generation: own.generation, last: own.after) }

  private mutating func readEnd() -> [Effect] {
    guard !shared.isEmpty else { return [] }
    guard !reading.isReading else {
      reading.again = true
      return []
    }
    reading.isReading = true
    return [.readEnd]
  }

  private mutating func changed(_ end: LogPosition, _ now: ContinuousClock.Instant) -> [Effect] {
    let before = own
    guard end != before else { return [] }
    own = end
    // Nobody knows of a log that was not known here.
    guard !before.generation.isEmpty else { return [] }
    announcement = announcement ?? now + Self.sharedChangeTime
    guard end.generation != before.generation else { return [] }
    // A new index knows nothing of other machines. What is being applied tells how far it has come.
    let others = peers.filter { $0.value.isShared == true && $0.value.question != .applying }.keys
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
      effects += peers.filter { $0.value.isShared == true }.keys.map { .send(news, to: $0) }
    }
    return effects
  }
}

extension [String: Set<String>] {
  /// Whether the machine is in one of these teams, and was not removed from it.
  package func contains(_ peer: SharingPeer) -> Bool { self[peer.team].map { !$0.contains(peer.device) } ?? false }
}
