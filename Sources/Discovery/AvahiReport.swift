import EventLoop

/// What Avahi's queue tells the loop.
enum AvahiReport: Sendable {
  case event(DiscoveryEvent)
  case resolved(instance: String, request: UInt64, addresses: [SocketAddress])
  /// What was wanted has been brought about, or at least taken up; the next can come.
  case taken
  case log(String)
}
