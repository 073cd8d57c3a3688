// SPDX-License-Identifier: Apache-2.0

import Activity

/// In which order things were copied: on this machine, and on the others as far as their offers say.
///
/// The clocks of machines differ, so what counts is when this machine heard of a copy. An offer that comes back, for
/// example because its machine was asleep, keeps its place.
package struct CopyTable: Sendable {
  /// The maximum number of copies of other machines whose order is remembered.
  static let knownCopies = 64

  /// A copy of another machine.
  package struct Key: Hashable, Sendable {
    package let activity: ActivityID
    package let deviceID: DeviceID

    package init(activity: ActivityID, deviceID: DeviceID) { (self.activity, self.deviceID) = (activity, deviceID) }
  }

  package enum Copy: Hashable, Sendable {
    case own
    case offered(Key)
  }

  private var order = 0
  private var ownOrder: Int?
  /// Of all copies that were offered, as long as there is room.
  private var orders: [Key: Int] = [:]
  private var present: Set<Key> = []

  package init() {}

  /// Something was copied on this machine.
  package mutating func copied() { ownOrder = next() }

  /// What was copied on this machine is gone.
  package mutating func cleared() { ownOrder = nil }

  /// - Parameter offers: All that is offered, the newest first.
  package mutating func offersChanged(to offers: [Key]) {
    for key in offers.reversed() where orders[key] == nil { orders[key] = next() }
    present = Set(offers)
    // Those that are gone are forgotten first.
    while orders.count > Self.knownCopies + present.count,
      let oldest = orders.filter({ !present.contains($0.key) }).min(by: { $0.value < $1.value })
    {
      orders[oldest.key] = nil
    }
  }

  /// Everything that can be pasted, the newest first.
  package var all: [Copy] {
    var copies = present.map { (order: orders[$0] ?? 0, copy: Copy.offered($0)) }
    if let ownOrder { copies.append((ownOrder, .own)) }
    return copies.sorted { $0.order > $1.order }.map(\.copy)
  }

  /// How many copies have a place in the order.
  var remembered: Int { orders.count }

  private mutating func next() -> Int {
    // Checked: nobody copies that often.
    order += 1
    return order
  }
}
