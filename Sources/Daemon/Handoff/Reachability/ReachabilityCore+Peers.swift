// SPDX-License-Identifier: Apache-2.0

import Activity

extension ReachabilityLimits {
  /// The longest pause between attempts while streams wait for the peer, which they do for about 30 s.
  package static let awaitedRedialTime = Duration.seconds(1)
  /// The longest pause between attempts while this machine's own limit keeps it from dialling the peer. Its turn comes
  /// soon, however many others are dialled first.
  package static let limitedRedialTime = Duration.seconds(5)
  /// How long a session must have lasted to be replaced immediately. Sessions that repeatedly break sooner are not.
  package static let steadySessionTime = Duration.seconds(1)
  /// The time until a new instance of a device that was dialled in vain is dialled, if others may have made or recorded
  /// its advert.
  package static let strangeRedialTime = Duration.seconds(10)
  /// How long new instances of the peer join an attempt after its start. Later ones wait for the next attempt, so that
  /// each attempt ends and remembered addresses are dialled again.
  fileprivate static let attemptJoinTime = Duration.seconds(5)
}

/// The peers: what is known about each, and the attempts to reach it.
extension ReachabilityCore {
  /// Whether another peer can be kept, in addition to those that are only remembered. A peer that is known only from an
  /// advert gives its place to any other.
  package func hasRoom(for peer: PeerID) -> Bool {
    peers[peer] != nil || peers.presentCount < Limits.knownPeers || leastKnown != nil
  }

  /// Whether the device was met: there was a session with it, or it was reached somewhere.
  package func hasMet(_ peer: PeerID) -> Bool {
    peers[peer].map { $0.isProven || !$0.remembered.isEmpty } ?? false
  }

  /// Whether the only sign that the device is there is an advert that others may have made or recorded.
  package func isDoubtful(_ address: Address, of peer: PeerID) -> Bool {
    !hasMet(peer) || peers[peer]?.attempt?.doubtful.contains(address) == true
  }

  /// The peer that has been known for the longest time from an advert alone. Peers that were dialled in vain come
  /// first.
  private var leastKnown: PeerID? {
    peers.filter { id, peer in
      peer.isKnown && !peer.isProven && !peer.hasLasting && peer.openings == 0 && !awaited.contains(id)
    }.min { ($0.value.reason == nil ? 1 : 0, $0.value.order) < ($1.value.reason == nil ? 1 : 0, $1.value.order) }?.key
  }

  mutating func makeRoom(for peer: PeerID) {
    guard peers[peer] == nil, peers.presentCount >= Limits.knownPeers, let least = leastKnown,
      let gone = peers[least]
    else { return }
    peers[least] = nil
    if gone.attempt != nil { effects.append(.stopDialling(least)) }
    effects += [.forgotten(least), .dropped(least), .changed]
    effects += gone.instances.map { .released(instance: $0) }
  }

  /// Whether there is something to dial, or something waits for the peer.
  func hasWay(to id: PeerID) -> Bool {
    guard let peer = peers[id] else { return false }
    return !peer.instances.isEmpty || peer.hasLasting || awaited.contains(id)
  }

  // MARK: Known peers

  mutating func see(_ instance: String, of id: PeerID, isDoubtful: Bool, _ now: ContinuousClock.Instant) {
    guard own[id.team] != nil, hasRoom(for: id) else { return }
    makeRoom(for: id)
    var peer = peers[id] ?? peers.newPeer()
    guard !peer.instances.contains(instance) else {
      if !isDoubtful { peers[id]?.doubtful.remove(instance) }
      return
    }
    guard peer.makeRoom(forDoubtful: isDoubtful) else { return }
    if let before = peers[id] {
      let released = before.instances.filter { before.holds($0) && !peer.instances.contains($0) }
      effects += released.map { .released(instance: $0) }
    }
    peer.instances.append(instance)
    if isDoubtful { peer.doubtful.insert(instance) }
    peer.isKnown = true
    // An instance that may be made up is no reason to dial immediately a peer that was dialled in vain.
    let isStrange = peer.reason != nil && (isDoubtful || !peer.isProven)
    if !isStrange { peer.backoff.reset() }
    // A doubtful instance uses up no turn.
    let turn = isDoubtful ? now : peer.newInstances?.ready(at: now) ?? now
    if let attempt = peer.attempt {
      if isDoubtful {
        peer.attempt?.next = attempt.next ?? now + ReachabilityLimits.strangeRedialTime
      } else if turn <= now, now < attempt.begin + ReachabilityLimits.attemptJoinTime, attempt.room(besides: 1) >= 0 {
        peer.attempt?.awaited.insert(instance)
        effects.append(.resolve(instance: instance))
        peer.takeTurn(now)
      } else if attempt.next.map({ turn < $0 }) ?? true {
        peer.attempt?.next = turn
        peer.takeTurn(now)
      }
    } else if peer.needsConnection, !peer.isDialling {
      // Both sides discover each other at the same time.
      let pause = isStrange ? ReachabilityLimits.strangeRedialTime : isFirst(id) ? .zero : Limits.dialCourtesy
      let due = max(turn, now + pause)
      if peer.due.map({ due < $0 }) ?? true {
        peer.due = due
        if !isDoubtful { peer.takeTurn(now) }
      }
    }
    peers[id] = peer
    effects.append(.changed)
  }

  mutating func lose(_ instance: String) {
    for id in peers.owners(of: instance) {
      guard let index = peers[id]?.instances.firstIndex(of: instance) else { continue }
      peers[id]?.removeInstance(at: index)
      forgetIfGone(id)
    }
  }

  mutating func remember(_ id: PeerID, _ addresses: [Address], _ now: ContinuousClock.Instant) {
    makeRow(for: id, with: addresses, now)
    peers[id]?.remembered = Array(addresses.prefix(Limits.addressesPerPeer))
    forgetIfGone(id)
  }

  mutating func say(_ id: PeerID, _ addresses: [Address], _ now: ContinuousClock.Instant) {
    makeRow(for: id, with: addresses, now)
    peers[id]?.said = Array(addresses.prefix(Limits.saidAddresses))
    forgetIfGone(id)
  }

  /// Adds a peer of which addresses are known, and nothing else.
  private mutating func makeRow(for id: PeerID, with addresses: [Address], _ now: ContinuousClock.Instant) {
    guard peers[id] == nil, !addresses.isEmpty, let device = own[id.team], device != id.device,
      peers.count < Limits.knownPeers + Limits.rememberedPeers
    else { return }
    var peer = peers.newPeer()
    peer.due = now + soon(id)
    peers[id] = peer
  }

  func isGone(_ id: PeerID, _ peer: Peer) -> Bool {
    peer.instances.isEmpty && peer.readySince == nil && peer.openings == 0 && !awaited.contains(id)
      && (peer.attempt == nil || !peer.isKnown)
  }

  mutating func forgetIfGone(_ id: PeerID) {
    guard let peer = peers[id], isGone(id, peer) else { return }
    if peer.isKnown { effects += [.forgotten(id), .changed] }
    peers[id]?.isKnown = false
    guard !peer.hasLasting else { return }
    if peer.attempt != nil { effects.append(.stopDialling(id)) }
    peers[id] = nil
    effects.append(.dropped(id))
  }

  // MARK: Attempts

  mutating func want(_ id: PeerID, _ now: ContinuousClock.Instant) {
    guard let peer = peers[id] else { return effects.append(.connectFailed(id, .peerNotFound)) }
    guard peer.readySince == nil, peer.ownOpenings == 0 else { return }
    for (named, entry) in named where entry.peer == id { dialNow(named) }
    peer.isDialling ? dialAgain(id) : attempt(id, now)
  }

  /// Does not wait for what is under way. What was sent while the network was away is lost, and TCP repeats it only
  /// after seconds; or the attempt only waits for discovery, and the peer may be back at an address that is known
  /// without it.
  private mutating func dialAgain(_ id: PeerID) {
    guard let peer = peers[id], let attempt = peer.attempt else { return }
    if attempt.isDialling { return effects.append(.dialAgain(id)) }
    guard peer.hasLasting else { return }
    peers[id]?.attempt?.isDialling = true
    effects.append(.dial(id, peer.lasting))
  }

  /// Asks for the addresses of all instances, and at the same time dials those that are known without discovery.
  mutating func attempt(_ id: PeerID, _ now: ContinuousClock.Instant) {
    guard var peer = peers[id] else { return }
    peer.due = nil
    peer.isIdle = false
    defer { if peers[id]?.attempt == nil { forgetIfGone(id) } }
    guard peer.needsConnection, !peer.isDialling else { return peers[id] = peer }
    var attempt = Attempt(begin: now, awaited: Set(peer.instances))
    if peer.canMeet {
      attempt.askAt = now + Limits.relayAskTime
      if !peer.isRelayed { attempt.meetAt = now + Limits.relayPatience }
    }
    let lasting = peer.lasting
    attempt.tried = Set(lasting)
    attempt.isDialling = !lasting.isEmpty
    peer.attempt = attempt
    peers[id] = peer
    for instance in peer.instances.reversed() { effects.append(.resolve(instance: instance)) }
    if attempt.isDialling { effects.append(.dial(id, lasting)) }
    effects.append(.changed)
    failIfOver(id, now)
  }

  mutating func resolve(_ instance: String, _ addresses: [Address], _ now: ContinuousClock.Instant) {
    for id in peers.owners(of: instance) {
      guard let peer = peers[id], var attempt = peer.attempt, attempt.awaited.remove(instance) != nil else { continue }
      if !addresses.isEmpty, !peer.doubtful.contains(instance) {
        peers[id]?.resolved = Array(addresses.prefix(Limits.addressesPerInstance))
      }
      // If discovery no longer has addresses, its last ones may still be right.
      let isLast = attempt.awaited.isEmpty && attempt.tried.isEmpty
      var fresh: [Address] = []
      let isDoubtful = peer.doubtful.contains(instance)
      let most = isDoubtful ? Limits.addressesPerDoubtfulInstance : Limits.addressesPerInstance
      let limit = min(most, attempt.room(besides: 0))
      for address in addresses.isEmpty && isLast ? peer.resolved : addresses {
        guard fresh.count < limit, attempt.tried.insert(address).inserted else { continue }
        fresh.append(address)
      }
      if isDoubtful { attempt.doubtful.formUnion(fresh) }
      if !fresh.isEmpty { attempt.isDialling = true }
      peers[id]?.attempt = attempt
      if !fresh.isEmpty { effects.append(.dial(id, fresh)) }
      failIfOver(id, now)
    }
  }

  mutating func dialFailed(_ id: PeerID, _ reason: Reason, _ now: ContinuousClock.Instant) {
    peers[id]?.attempt?.isDialling = false
    note(id, reason)
    failIfOver(id, now)
  }

  /// Keeps the reason of the attempt that says most about the peer; of those that say the same, the last one.
  mutating func note(_ id: PeerID, _ reason: Reason) {
    guard let attempt = peers[id]?.attempt else { return }
    if reason.attemptWeight >= attempt.reason?.attemptWeight ?? 0 { peers[id]?.attempt?.reason = reason }
  }

  mutating func failIfOver(_ id: PeerID, _ now: ContinuousClock.Instant) {
    guard let attempt = peers[id]?.attempt, !attempt.isDialling, attempt.awaited.isEmpty, !attempt.isMeeting else {
      return
    }
    // There is nothing else to wait for.
    if attempt.meetAt != nil { return meet(id) }
    peers[id]?.attempt = nil
    fail(id, attempt.reason ?? .peerUnreachable, now, next: attempt.next)
  }

  /// - Parameter next: The latest time for the next attempt, whatever the pause.
  private mutating func fail(
    _ id: PeerID,
    _ reason: Reason,
    _ now: ContinuousClock.Instant,
    next: ContinuousClock.Instant? = nil
  ) {
    guard let peer = peers[id] else { return }
    guard peer.readySince == nil else {
      // The session through the relay goes on.
      if peer.isRelayed { leaveRelayLater(id, now) }
      return
    }
    peers[id]?.reason = reason
    effects.append(.changed)
    // The peer's own connection may become the session.
    guard peer.openings == 0 else { return }
    var due: ContinuousClock.Instant?
    if hasWay(to: id) {
      due = now + (reason == .limitReached ? min(pause(id), ReachabilityLimits.limitedRedialTime) : pause(id))
    }
    peers[id]?.due = due.map { min($0, next ?? $0) }
    effects.append(.connectFailed(id, reason))
    forgetIfGone(id)
  }

  /// Returns the pause until the next attempt.
  private mutating func pause(_ id: PeerID) -> Duration {
    let jitter = 0.5 + random() / 2
    let pause = peers[id]?.backoff.next(jitter: jitter) ?? .zero
    return awaited.contains(id) ? min(pause, ReachabilityLimits.awaitedRedialTime) : pause
  }

  private mutating func flappingPause(_ id: PeerID) -> Duration {
    let jitter = 0.5 + random() / 2
    let pause = peers[id]?.flapping.next(jitter: jitter) ?? .zero
    return awaited.contains(id) ? min(pause, ReachabilityLimits.awaitedRedialTime) : pause
  }

  // MARK: Sessions

  mutating func open(_ id: PeerID, _ isDialler: Bool) {
    makeRoom(for: id)
    var peer = peers[id] ?? peers.newPeer()
    peer.openings += 1
    if isDialler {
      peer.ownOpenings += 1
      // The connection may come from an address that a user gave, in addition to the peer's own attempt.
      if peer.attempt != nil { effects.append(.stopDialling(id)) }
      peer.attempt = nil
    }
    peers[id] = peer
    effects.append(.changed)
  }

  mutating func endOpening(_ id: PeerID, _ reason: Reason, _ isDialler: Bool, _ now: ContinuousClock.Instant) {
    close(id, isDialler)
    noteNamed(id, reason)
    guard let peer = peers[id] else { return effects.append(.changed) }
    if peer.readySince == nil, peer.openings == 0, peer.attempt == nil, isDialler || peer.due == nil {
      fail(id, reason, now)
    } else if peer.isRelayed, peer.ownOpenings == 0, peer.attempt == nil, peer.due == nil {
      leaveRelayLater(id, now)
    }
    forgetIfGone(id)
    effects.append(.changed)
  }

  private mutating func close(_ id: PeerID, _ isDialler: Bool) {
    guard let peer = peers[id], peer.openings > 0 else { return }
    peers[id]?.openings -= 1
    if isDialler, peer.ownOpenings > 0 { peers[id]?.ownOpenings -= 1 }
  }

  mutating func begin(
    _ id: PeerID,
    _ address: Address?,
    isDialler: Bool,
    isRelayed: Bool,
    _ now: ContinuousClock.Instant
  ) {
    close(id, isDialler)
    var peer = peers[id] ?? peers.newPeer()
    if peer.attempt != nil { effects.append(.stopDialling(id)) }
    peer.attempt = nil
    peer.due = nil
    peer.isIdle = false
    peer.isKnown = true
    peer.isProven = true
    peer.reason = nil
    peer.readySince = now
    peer.isRelayed = isRelayed
    peer.leavingRelay.reset()
    if let address, peer.remembered.first != address {
      peer.remembered = [address] + peer.remembered.filter { $0 != address }.prefix(Limits.addressesPerPeer - 1)
      effects.append(.remember(id, address, isFirst: true))
    }
    peers[id] = peer
    if isRelayed { leaveRelayLater(id, now) }
    restNamed(id)
    effects.append(.changed)
  }

  /// Adds an address that nobody has tried. It replaces no address that worked, except the oldest.
  mutating func learn(_ id: PeerID, _ address: Address) {
    guard let peer = peers[id], peer.readySince != nil, !peer.remembered.contains(address) else { return }
    peers[id]?.remembered = peer.remembered.prefix(Limits.addressesPerPeer - 1) + [address]
    effects.append(.remember(id, address, isFirst: false))
  }

  mutating func end(_ id: PeerID, _ reason: Reason, _ now: ContinuousClock.Instant) {
    guard let peer = peers[id], let since = peer.readySince else { return }
    peers[id]?.readySince = nil
    peers[id]?.isRelayed = false
    // A direct path was due, or being looked for.
    peers[id]?.due = nil
    peers[id]?.reason = reason
    // A session that breaks immediately, again and again, is no success.
    let wasSteady = since.duration(to: now) >= ReachabilityLimits.steadySessionTime
    if wasSteady {
      peers[id]?.backoff.reset()
      peers[id]?.flapping.reset()
    }
    if reason == .sessionIdle {
      peers[id]?.isIdle = true
      if peer.attempt != nil { effects.append(.stopDialling(id)) }
      peers[id]?.attempt = nil
    } else if peer.attempt != nil {
      helpLater(id, now)
    } else if hasWay(to: id) {
      let pause =
        switch (Self.isLoss(reason), wasSteady) {
        case (true, true): soon(id)
        case (true, false): flappingPause(id)
        case (false, _): pause(id)
        }
      peers[id]?.due = now + pause
    }
    resumeNamed(id, reason, wasSteady, now)
    forgetIfGone(id)
    effects.append(.changed)
  }

  /// Whether the connection broke, without either side ending it on purpose.
  private static func isLoss(_ reason: Reason) -> Bool { reason == .peerUnreachable || reason == .peerTimedOut }
}
