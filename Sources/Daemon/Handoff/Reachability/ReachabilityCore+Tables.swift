// SPDX-License-Identifier: Apache-2.0

import Activity

extension ReachabilityLimits {
  /// The rate of new instances of one device that are a reason to dial it immediately. Anyone with a recorded advert
  /// can announce it again and again.
  package static let newInstancesPerPeerRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// The first and the longest pause after consecutive sessions that broke sooner than after `steadySessionTime`. The
  /// peer is there, and its network may recover at any time.
  fileprivate static let flappingBackoff = Duration.seconds(1)...Duration.seconds(5)
  /// How many of the instances of one peer a removed device may have made up. It leaves room for the others.
  fileprivate static let doubtfulInstancesPerPeer = 2
  /// The first and the longest pause between attempts to reach directly a peer whose session goes through a relay.
  fileprivate static let relayLeavingBackoff = Duration.seconds(10)...Duration.seconds(300)
}

/// The rows of this state machine's tables.
extension ReachabilityCore {
  /// What is known about one peer, and what is being done to reach it.
  package struct Peer: Equatable, Sendable {
    /// Its instances that discovery sees now, the newest last. The records of a killed daemon stay for minutes.
    package internal(set) var instances: [String] = []
    /// The instances that a removed device may have made up.
    package internal(set) var doubtful: Set<String> = []
    /// The addresses where it was reached before, the newest first.
    package internal(set) var remembered: [Address] = []
    /// The addresses where it says that it listens.
    package internal(set) var said: [Address] = []
    /// The addresses that discovery returned last.
    package internal(set) var resolved: [Address] = []
    /// Why the last attempt or session ended.
    package internal(set) var reason: Reason?
    /// Whether it was seen or had a session, and has not been forgotten since.
    package internal(set) var isKnown = false
    /// Whether there was a session with it, which proves that it is a device of the team.
    package internal(set) var isProven = false
    /// When the session began; nil if there is none.
    package internal(set) var readySince: ContinuousClock.Instant?
    /// Whether the session goes through a relay.
    package internal(set) var isRelayed = false
    /// Whether the peer can be met at a relay.
    package internal(set) var canMeet = false

    /// Greater for peers that were added later.
    let order: UInt64
    var attempt: Attempt?
    /// Connections that may become sessions: their number, and the number of those that this side dialled.
    var openings = 0
    var ownOpenings = 0
    /// Whether the last session was not needed. If so, neither its end nor a change of the network is a reason to dial.
    var isIdle = false
    var due: ContinuousClock.Instant?
    /// What is left of the rate at which new instances are a reason to dial immediately; nil before the first one.
    var newInstances: TokenBucket?
    var backoff = Backoff(Limits.dialBackoff)
    /// The pauses between attempts to leave a relay.
    var leavingRelay = Backoff(ReachabilityLimits.relayLeavingBackoff)
    /// The pauses between sessions that break immediately.
    var flapping = Backoff(ReachabilityLimits.flappingBackoff)

    /// Whether it needs a connection: it has no session, or one through a relay.
    var needsConnection: Bool { readySince == nil || isRelayed }
    /// Whether addresses were requested, are being dialled, or one has answered.
    package var isDialling: Bool { attempt != nil || ownOpenings > 0 }
    /// Whether addresses are known without discovery.
    var hasLasting: Bool { !remembered.isEmpty || !said.isEmpty }
    /// The addresses that are known without discovery. Those where it was reached come first.
    package var lasting: [Address] {
      var seen: Set<Address> = []
      return (remembered + said).filter { seen.insert($0).inserted }
    }
    /// The address that worked last, otherwise the first that discovery returned.
    package var address: Address? { remembered.first ?? resolved.first }
  }

  /// One round through everything known about a peer.
  struct Attempt: Equatable, Sendable {
    let begin: ContinuousClock.Instant
    /// Instances whose addresses were requested and have not arrived.
    var awaited: Set<String> = []
    /// The addresses that were dialled.
    var tried: Set<Address> = []
    /// The addresses that a doubtful instance was the first to give.
    var doubtful: Set<Address> = []
    /// Whether some of the dialled addresses have not failed yet.
    var isDialling = false
    /// When to ask the peer to dial this machine, and when to meet it at a relay; nil if that was done, or cannot be.
    var askAt: ContinuousClock.Instant?
    var meetAt: ContinuousClock.Instant?
    var isMeeting = false
    var reason: Reason?
    /// The latest time for the next attempt, because some instances came too fast or too late for this one.
    var next: ContinuousClock.Instant?
  }

  /// An address that a user gave.
  package struct Named: Equatable, Sendable {
    /// The peer that last answered there.
    package internal(set) var peer: PeerID?
    /// Whether this machine answered.
    package internal(set) var isThisMachine = false
    /// Why the last attempt failed.
    package internal(set) var reason: Reason?
    package internal(set) var isDialling = false
    var due: ContinuousClock.Instant?
    var backoff = Backoff(Limits.dialBackoff)
  }
}

extension ReachabilityCore.Attempt {
  /// How many more addresses may be dialled, in addition to those that were dialled and those kept for instances that
  /// have not answered.
  ///
  /// - Parameter more: The number of further such instances.
  func room(besides more: Int) -> Int {
    Limits.dialledAddresses - tried.count - (awaited.count + more) * Limits.addressesKeptPerInstance
  }
}

extension ReachabilityCore.Peer {
  /// Whether the instance is among those that no removed device can have made up.
  package func holds(_ instance: String) -> Bool { instances.contains(instance) && !doubtful.contains(instance) }

  /// Makes room for an instance. The oldest one gives way. Doubtful ones give way first, and have only a few places.
  ///
  /// - Returns: Whether there is room for one more.
  mutating func makeRoom(forDoubtful isDoubtful: Bool) -> Bool {
    let isFull = instances.count >= Limits.instancesPerPeer
    guard isFull || isDoubtful && doubtful.count >= ReachabilityLimits.doubtfulInstancesPerPeer else { return true }
    if let index = instances.firstIndex(where: doubtful.contains) {
      removeInstance(at: index)
    } else if isDoubtful {
      return false
    } else {
      removeInstance(at: 0)
    }
    return true
  }

  /// Counts a new instance that is a reason to dial. Only new instances wait for their turn. Other reasons do not: a
  /// user, a lost session, or another peer.
  mutating func takeTurn(_ now: ContinuousClock.Instant) {
    newInstances = newInstances ?? TokenBucket(ReachabilityLimits.newInstancesPerPeerRate, at: now)
    newInstances?.charge(1, at: now)
  }

  mutating func removeInstance(at index: Int) { doubtful.remove(instances.remove(at: index)) }
}
