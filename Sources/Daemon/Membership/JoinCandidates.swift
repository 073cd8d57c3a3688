import Activity
import EventLoop
import Reachability

/// The addresses that a joining machine still has to ask. Each address has one turn, however many instances name it.
struct JoinCandidates {
  /// Addresses that a user gave, and this machine's own. They are asked first, in this order.
  private var named: [SocketAddress] = []
  /// The addresses of each machine that was found.
  private var found: [[SocketAddress]] = []
  private var known: Set<SocketAddress> = []

  var isEmpty: Bool { named.isEmpty && found.isEmpty }

  mutating func name(_ addresses: [SocketAddress]) { named += takeUnknown(addresses) }

  mutating func find(_ addresses: [SocketAddress]) {
    let unknown = takeUnknown(addresses)
    if !unknown.isEmpty { found.append(unknown) }
  }

  private mutating func takeUnknown(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.filter { known.count < Limits.joinAddresses && known.insert($0).inserted }
  }

  /// Takes the next address. Any machine that was found can be next. So a machine that is seen first, or announces many
  /// addresses, cannot keep others out for good.
  ///
  /// - Parameter dials: Limits how often addresses of machines that were found are dialled.
  /// - Returns: Nil if there is none, or none may be dialled now.
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
    return nil
  }
}
