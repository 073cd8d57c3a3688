/// Everything that the loop wants of Avahi. Because it is complete, it can be carried out again after Avahi was gone.
/// And a single pending value is enough, however long Avahi's queue is stuck.
struct Wanted: Equatable, Sendable {
  /// The interfaces on which to announce and to look for instances.
  var interfaces = InterfacePolicy()
  /// How often the loop has asked to look for everything again.
  var refreshes: UInt64 = 0
  /// By instance name.
  var publications: [String: ServiceInstance] = [:]
  /// The instances whose addresses are requested, each with the number of the request.
  var resolutions: [String: UInt64] = [:]
  /// The names that were ours. Our own announcements may come back late, or on another interface.
  var ownInstances = OwnInstances()
}
