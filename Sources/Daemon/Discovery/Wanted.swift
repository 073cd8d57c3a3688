// SPDX-License-Identifier: Apache-2.0

/// Everything that the loop wants of Avahi. Because it is complete, it can be carried out again after Avahi was gone.
/// And a single pending value is enough, however long Avahi's queue is stuck.
struct Wanted: Equatable, Sendable {
  /// The interfaces on which to announce and to look for instances.
  var interfaces = InterfacePolicy()
  /// How often the loop has asked to look for everything again.
  var refreshes: UInt64 = 0
  /// Which instances are looked for.
  var search = Search()
  /// By instance name.
  var publications: [String: ServiceInstance] = [:]
  /// The instances whose addresses are requested, each with the number of the request.
  var resolutions: [String: UInt64] = [:]
  /// The names that were ours. Our own announcements may come back late, or on another interface.
  var ownInstances = OwnInstances()

  /// Which instances are looked for, by their names.
  struct Search: Equatable, Sendable {
    /// How often that has changed.
    var number: UInt64 = 0
    /// Nil if nothing is looked for.
    var isWanted: (@Sendable (String) -> Bool)?

    static func == (left: Search, right: Search) -> Bool { left.number == right.number }
  }
}
