/// What the loop wants of Avahi: all of it, so that it can be brought about again after Avahi was gone, and so that one
/// value in the mailbox is enough however long Avahi's queue is stuck.
struct Wanted: Equatable, Sendable {
  /// Over which interfaces instances are announced and looked for.
  var interfaces = InterfacePolicy()
  /// How often everything was to be looked for anew.
  var refreshes: UInt64 = 0
  /// By instance name.
  var publications: [String: Publication] = [:]
  /// Instances whose addresses are asked for, each with the number of the request.
  var resolutions: [String: UInt64] = [:]
  /// Names that were ours: our own announcements may come back, over another interface or late.
  var ownInstances = OwnInstances()
}
