// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Looks for instances of the service on all interfaces. It leaves out those that its own client published.
@AvahiQueue
final class ServiceBrowser {
  private var pointer: OpaquePointer?
  private let onEvent: @AvahiQueue (BrowserEvent<Sighting>) -> Void

  /// - Parameter onEvent: It must not close the browser.
  init(_ client: AvahiClient, onEvent: @escaping @AvahiQueue (BrowserEvent<Sighting>) -> Void) throws(AvahiError) {
    self.onEvent = onEvent
    guard let clientPointer = client.pointer else { throw client.error("avahi_service_browser_new") }
    pointer = avahi_service_browser_new(
      clientPointer,
      anyInterface,
      anyIPVersion,
      ServiceType.name,
      ServiceType.domain,
      AVAHI_LOOKUP_USE_MULTICAST,
      { _, interface, version, event, name, _, _, flags, context in
        guard flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue == 0, let browser = ServiceBrowser.at(context)
        else { return }
        let event = BrowserEvent(event) {
          name.flatMap { String(validatingCString: $0) }
            .map { Sighting(instance: $0, interface: interface, ipVersion: version) }
        }
        if let event { browser.onEvent(event) }
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard pointer != nil else { throw client.error("avahi_service_browser_new") }
  }

  isolated deinit { close() }

  func close() {
    guard let pointer else { return }
    self.pointer = nil
    avahi_service_browser_free(pointer)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> ServiceBrowser? {
    context.map { Unmanaged<ServiceBrowser>.fromOpaque($0).takeUnretainedValue() }
  }
}
