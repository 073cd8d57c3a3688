// SPDX-License-Identifier: Apache-2.0

import CAvahi
import EventLoop

/// Asks where an instance is, on one interface.
@AvahiQueue
final class ServiceResolver {
  /// One of the addresses of the instance's host, and the host's name in Avahi's escaped form.
  struct Answer {
    let address: SocketAddress
    let host: String
  }

  private var pointer: OpaquePointer?
  private let onAnswer: @AvahiQueue (Answer?) -> Void

  /// - Parameter onAnswer: Receives nil if there is no address. It may close the resolver.
  init(
    _ client: AvahiClient,
    _ sighting: Sighting,
    onAnswer: @escaping @AvahiQueue (Answer?) -> Void
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
      // Otherwise, an address of the other IP version can be returned (link-local IPv6 over IPv4), which may be
      // unreachable.
      sighting.ipVersion,
      AvahiLookupFlags(rawValue: AVAHI_LOOKUP_USE_MULTICAST.rawValue | AVAHI_LOOKUP_NO_TXT.rawValue),
      { _, _, _, event, _, _, _, host, address, port, _, _, context in
        guard let resolver = ServiceResolver.at(context) else { return }
        guard event == AVAHI_RESOLVER_FOUND, let address = address?.pointee else { return resolver.onAnswer(nil) }
        let length = address.proto == ipVersion4 ? 4 : 16
        let bytes = withUnsafeBytes(of: address.data) { Array($0.prefix(length)) }
        let name = host.flatMap { String(validatingCString: $0) } ?? ""
        resolver.onAnswer(SocketAddress(bytes: bytes, port: port).map { Answer(address: $0, host: name) })
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
