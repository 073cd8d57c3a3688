import Activity
import Continuation

/// The rows of the machine's tables.
extension Reachability {
  /// What is known of one peer, and what is being done to reach it.
  package struct Peer: Equatable, Sendable {
    /// Its instances that discovery sees now, the newest last. Of a daemon that was killed the records stay for minutes.
    package internal(set) var instances: [String] = []
    /// Those of them that a removed device may have made up.
    package internal(set) var doubtful: Set<String> = []
    /// Where it was reached before, the newest first.
    package internal(set) var remembered: [Address] = []
    /// What discovery said last.
    package internal(set) var resolved: [Address] = []
    /// Why the last attempt or session ended.
    package internal(set) var reason: Reason?
    /// It was seen or had a session, and was not forgotten since.
    package internal(set) var isKnown = false
    /// There was a session with it, so that it is a device of the team.
    package internal(set) var isProven = false
    /// Since when there is a session; nil where there is none.
    package internal(set) var readySince: ContinuousClock.Instant?

    /// Greater for what came later.
    let order: UInt64
    var attempt: Attempt?
    /// Connections that may become sessions: of all, and those that this side dialled.
    var openings = 0
    var ownOpenings = 0
    /// The last session was not needed: nobody dials until somebody wants to.
    var isIdle = false
    var due: ContinuousClock.Instant?
    /// What is left of the rate at which new instances are a reason to dial immediately; nil before the first one.
    var newInstances: TokenBucket?
    var backoff = Backoff(Limits.dialBackoff)
    /// Between sessions that break at once.
    var flapping = Backoff(Limits.flappingBackoff)

    /// Addresses were asked for, are being dialled, or one answered.
    package var isDialling: Bool { attempt != nil || ownOpenings > 0 }
    /// The one that worked last, or what discovery says.
    package var address: Address? { remembered.first ?? resolved.first }
  }

  /// One round over all that is known of a peer.
  struct Attempt: Equatable, Sendable {
    let begin: ContinuousClock.Instant
    /// Instances whose addresses were asked for and have not come.
    var awaited: Set<String> = []
    /// What was dialled.
    var tried: Set<Address> = []
    /// Addresses that only doubtful instances have.
    var doubtful: Set<Address> = []
    /// Not all of that has failed.
    var isDialling = false
    var reason: Reason?
    /// By when the next one begins: there are instances that came too fast or too late for this one.
    var next: ContinuousClock.Instant?
  }

  /// An address that a user named.
  package struct Named: Equatable, Sendable {
    /// Who answered there last.
    package internal(set) var peer: PeerID?
    /// This machine answered.
    package internal(set) var isThisMachine = false
    /// Why the last attempt failed.
    package internal(set) var reason: Reason?
    package internal(set) var isDialling = false
    var due: ContinuousClock.Instant?
    var backoff = Backoff(Limits.dialBackoff)
  }
}

extension Reachability.Attempt {
  /// How many addresses may be dialled beside those that were and those kept for instances that have not answered.
  ///
  /// - Parameter more: So many more such instances.
  func room(besides more: Int) -> Int {
    Limits.dialledAddresses - tried.count - (awaited.count + more) * Limits.addressesKeptPerInstance
  }
}

extension Reachability.Peer {
  /// Whether the instance is among those that no removed device can have made up.
  package func holds(_ instance: String) -> Bool { instances.contains(instance) && !doubtful.contains(instance) }

  /// The oldest gives way, and first those that are doubtful, which have a few places at most.
  ///
  /// - Returns: Whether there is room for one more.
  mutating func makeRoom(forDoubtful isDoubtful: Bool) -> Bool {
    let isFull = instances.count >= Limits.instancesPerPeer
    guard isFull || isDoubtful && doubtful.count >= Limits.doubtfulInstancesPerPeer else { return true }
    if let index = instances.firstIndex(where: doubtful.contains) {
      removeInstance(at: index)
    } else if isDoubtful {
      return false
    } else {
      removeInstance(at: 0)
    }
    return true
  }

  /// A new instance is a reason to dial. Nothing else that is one waits for its turn: neither a user, nor a session that was
  /// lost, nor another peer.
  mutating func takeTurn(_ now: ContinuousClock.Instant) {
    newInstances = newInstances ?? TokenBucket(Limits.newInstancesPerPeerRate, at: now)
    newInstances?.charge(1, at: now)
  }

  mutating func removeInstance(at index: Int) { doubtful.remove(instances.remove(at: index)) }
}
