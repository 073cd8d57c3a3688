// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Handoff

/// The machines that a joining machine can still ask. Each address gets one turn, however many instances name it. An
/// address that hangs up gets further turns.
struct JoinCandidates {
  /// The maximum number of addresses that one attempt knows: a few of each instance, which is more than it has time to
  /// ask. Beyond that, chance decides which ones are kept.
  static let joinAddresses = 1024
  /// The maximum number of addresses of one instance that an attempt asks: cable and wireless, in both IP versions.
  private static let joinAddressesPerInstance = 4

  /// Addresses that a user gave, and this machine's own. They are asked first, in this order.
  private var named: [SocketAddress] = []
  /// The addresses of each machine that was found.
  private var found: [[SocketAddress]] = []
  /// Addresses that hung up. They are asked when no others can be.
  private var again: [SocketAddress] = []
  private var known: Set<SocketAddress> = []
  /// How many addresses were found, including those for which there was no room.
  private var seen = 0

  var isEmpty: Bool { named.isEmpty && found.isEmpty && again.isEmpty }

  mutating func name(_ addresses: [SocketAddress]) {
    for address in addresses where !known.contains(address) {
      guard known.count < Self.joinAddresses || dropOne() else { return }
      known.insert(address)
      named.append(address)
    }
  }

  /// Keeps an address for later, because its machine hung up without an answer. A machine that is asked too often does
  /// that.
  mutating func askAgain(_ address: SocketAddress) { again.append(address) }

  /// Adds the addresses of a machine that was found. If there is no room, they replace random others that were not
  /// asked yet. So neither the first addresses nor the last ones keep the others out (reservoir sampling).
  mutating func find(_ addresses: [SocketAddress]) {
    var unknown: [SocketAddress] = []
    for address in addresses where !known.contains(address) && !unknown.contains(address) { unknown.append(address) }
    var kept: [SocketAddress] = []
    for address in unknown.prefix(Self.joinAddressesPerInstance) {
      seen += 1
      guard known.count < Self.joinAddresses || Int.random(in: 0..<seen) < Self.joinAddresses && dropOne() else {
        continue
      }
      known.insert(address)
      kept.append(address)
    }
    if !kept.isEmpty { found.append(kept) }
  }

  /// Makes room by dropping an address, chosen at random, that was found and not asked yet.
  ///
  /// - Returns: Whether there was one.
  private mutating func dropOne() -> Bool {
    let count = found.reduce(0) { $0 + $1.count }
    guard count > 0 else { return false }
    var place = Int.random(in: 0..<count)
    for machine in found.indices {
      if found[machine].indices.contains(place) {
        known.remove(take(place, of: machine))
        return true
      }
      place -= found[machine].count
    }
    return false
  }

  private mutating func take(_ place: Int, of machine: Int) -> SocketAddress {
    let address = found[machine].remove(at: place)
    if found[machine].isEmpty { found.remove(at: machine) }
    return address
  }

  /// Takes the next address. Any machine that was found can be next. So a machine that is seen first, or announces many
  /// addresses, cannot keep others out for good.
  ///
  /// - Parameter dials: Limits which of the addresses that were found, or that hung up, may be dialled.
  /// - Returns: Nil if there is no address, or none may be dialled now.
  mutating func next(
    _ dials: inout DialLimiter<[UInt8]>,
    at now: ContinuousClock.Instant,
    using generator: inout some RandomNumberGenerator
  ) -> SocketAddress? {
    guard named.isEmpty else { return named.removeFirst() }
    var machines = Array(found.indices)
    while !machines.isEmpty {
      machines.swapAt(Int.random(in: machines.indices, using: &generator), machines.endIndex - 1)
      let machine = machines.removeLast()
      guard let place = found[machine].firstIndex(where: { dials.take(to: $0.bytes, at: now) }) else { continue }
      return take(place, of: machine)
    }
    guard let place = again.firstIndex(where: { dials.take(to: $0.bytes, at: now) }) else { return nil }
    return again.remove(at: place)
  }
}
