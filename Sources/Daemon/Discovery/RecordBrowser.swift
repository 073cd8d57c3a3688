// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Watches the records of one name and type on one interface.
@AvahiQueue
final class RecordBrowser {
  private var pointer: OpaquePointer?
  private let onEvent: @AvahiQueue (BrowserEvent<[UInt8]>) -> Void

  /// - Parameters:
  ///   - name: In Avahi's escaped form.
  ///   - type: The DNS type, such as `AVAHI_DNS_TYPE_TXT`.
  ///   - onEvent: Receives the records' data. It must not close the browser.
  init(
    _ client: AvahiClient,
    name: String,
    type: UInt16,
    interface: Int32 = anyInterface,
    ipVersion: Int32 = anyIPVersion,
    onEvent: @escaping @AvahiQueue (BrowserEvent<[UInt8]>) -> Void
  ) throws(AvahiError) {
    self.onEvent = onEvent
    guard let clientPointer = client.pointer else { throw client.error("avahi_record_browser_new") }
    pointer = avahi_record_browser_new(
      clientPointer,
      interface,
      ipVersion,
      name,
      UInt16(AVAHI_DNS_CLASS_IN),
      type,
      AVAHI_LOOKUP_USE_MULTICAST,
      { _, _, _, event, _, _, _, data, count, _, context in
        guard let browser = RecordBrowser.at(context) else { return }
        let event = BrowserEvent(event) { Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)) }
        if let event { browser.onEvent(event) }
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard pointer != nil else { throw client.error("avahi_record_browser_new") }
  }

  isolated deinit { close() }

  func close() {
    guard let pointer else { return }
    self.pointer = nil
    avahi_record_browser_free(pointer)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> RecordBrowser? {
    context.map { Unmanaged<RecordBrowser>.fromOpaque($0).takeUnretainedValue() }
  }
}
