import CAvahi
import EventLoop

/// Owns the question where an instance is, on one interface.
@AvahiQueue
final class ServiceResolver {
  private var pointer: OpaquePointer?
  private let onAnswer: @AvahiQueue (SocketAddress?) -> Void

  /// - Parameter onAnswer: Gets an address, or nil where there is none. It may close the resolver.
  init(
    _ client: AvahiClient,
    _ sighting: Sighting,
    onAnswer: @escaping @AvahiQueue (SocketAddress?) -> Void
  ) throws(AvahiError) {
    self.onAnswer = onAnswer
    guard let clientPointer = client.pointer else { throw client.error("avahi_service_resolver_new") }
    pointer = avahi_service_resolver_new(
      clientPointer,
      sighting.interface,
      sighting.ipVersion,
      sighting.instance,
      ServiceType.name,
      ServiceType.domain,
      // An address of the other IP version would come with it (link-local IPv6 over IPv4), which may not be reachable.
      sighting.ipVersion,
      AvahiLookupFlags(rawValue: AVAHI_LOOKUP_USE_MULTICAST.rawValue | AVAHI_LOOKUP_NO_TXT.rawValue),
      { _, _, _, event, _, _, _, _, address, port, _, _, context in
        guard let resolver = ServiceResolver.at(context) else { return }
        guard event == AVAHI_RESOLVER_FOUND, let address = address?.pointee else { return resolver.onAnswer(nil) }
        let length = address.proto == ipVersion4 ? 4 : 16
        let bytes = withUnsafeBytes(of: address.data) { Array($0.prefix(length)) }
        resolver.onAnswer(SocketAddress(bytes: bytes, port: port))
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard pointer != nil else { throw client.error("avahi_service_resolver_new") }
  }

  isolated deinit { close() }

  func close() {
    guard let pointer else { return }
    self.pointer = nil
    avahi_service_resolver_free(pointer)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> ServiceResolver? {
    context.map { Unmanaged<ServiceResolver>.fromOpaque($0).takeUnretainedValue() }
  }
}
