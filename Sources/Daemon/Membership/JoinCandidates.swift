import Activity
import EventLoop
import Reachability

/// Where a machine that joins is still to ask. An address has one turn, however many instances name it, and others where it
/// hangs up.
struct JoinCandidates {
  /// What a user has named, or this machine's own: asked first, in this order.
  private var named: [SocketAddress] = []
  /// Of each machine that was found.
  private var found: [[SocketAddress]] = []
  /// What hung up: asked when nobody else can be.
  private var again: [SocketAddress] = []
  private var known: Set<SocketAddress> = []

  var isEmpty: Bool { named.isEmpty && found.isEmpty && again.isEmpty }

  mutating func name(_ addresses: [SocketAddress]) { named += takeUnknown(addresses) }

  mutating func find(_ addresses: [SocketAddress]) {
    let unknown = takeUnknown(addresses)
    if !unknown.isEmpty { found.append(unknown) }
  }

  /// It hung up without an answer, as a machine does that is asked too often, whoever asked.
  mutating func askAgain(_ address: SocketAddress) { again.append(address) }

  private mutating func takeUnknown(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.filter { known.count < Limits.joinAddresses && known.insert($0).inserted }
  }

  /// Takes the next one. Of the machines that were found any may be it: who is seen first, or announces many addresses, keeps
  /// nobody out for good.
  ///
  /// - Parameter dials: What may be dialled of what was found, or hung up.
  /// - Returns: Nil where there is none, or none may be dialled now.
  mutating func next(
    _ dials: inout DialLimiter<[UInt8]>,
    at now: ContinuousClock.Instant,
    using generator: inout some RandomNumberGenerator
  ) -> SocketAddress? {
    guard named.isEmpty else { return named.removeFirst() }
    for machine in found.indices.shuffled(using: &generator) {
      guard let place = found[machine].firstIndex(where: { dials.take(to: $0.bytes, at: now) }) else { continue }
      let address = found[machine].remove(at: place)
      if found[machine].isEmpty { found.remove(at: machine) }
      return address
    }
    guard let place = again.firstIndex(where: { dials.take(to: $0.bytes, at: now) }) else { return nil }
    return again.remove(at: place)
  }
}
