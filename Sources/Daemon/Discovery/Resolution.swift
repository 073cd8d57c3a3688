// SPDX-License-Identifier: Apache-2.0

import Activity
import CAvahi
import EventLoop
import Glibc

/// One request for the addresses of an instance, sent on each interface where it was seen.
///
/// Avahi's resolver returns only one of a host's addresses, and does not specify which. The others are read from its
/// cache. The request ends when all interfaces have answered, `resolveGrace` after the first address, or without
/// addresses after `Limits.resolveTime`.
@AvahiQueue
final class Resolution {
  /// The time from the first address of an instance until the answer is complete. By then other interfaces have
  /// answered, or will not answer soon.
  private static let resolveGrace = Duration.milliseconds(150)

  let request: UInt64
  private let client: AvahiClient
  private var resolvers: [ServiceResolver] = []
  private var records: [RecordBrowser] = []
  private var unanswered = 0
  private var addresses: [SocketAddress] = []
  /// Addresses that are not of the link on which the instance is seen.
  private var elsewhere: [SocketAddress] = []
  private var timer: AvahiTimer?
  private var onEnd: (@AvahiQueue (_ addresses: [SocketAddress], _ elsewhere: [SocketAddress]) -> Void)?

  /// - Parameter onEnd: Called once, possibly before this returns.
  init(
    _ client: AvahiClient,
    request: UInt64,
    sightings: [Sighting],
    onEnd: @escaping @AvahiQueue (_ addresses: [SocketAddress], _ elsewhere: [SocketAddress]) -> Void
  ) {
    self.client = client
    self.request = request
    self.onEnd = onEnd
    timer = AvahiTimer { [weak self] in self?.end() }
    for sighting in sightings {
      let link = HostAddresses.onLink(sighting.interface)
      let resolver = try? ServiceResolver(client, sighting) { [weak self] answer in
        self?.answered(answer, sighting, link)
      }
      if let resolver { resolvers.append(resolver) }
    }
    unanswered = resolvers.count
    timer?.set(after: Limits.resolveTime)
    if resolvers.isEmpty { end() }
  }

  /// Ends the request without an answer.
  func close() {
    onEnd = nil
    end()
  }

  private func answered(_ answer: ServiceResolver.Answer?, _ sighting: Sighting, _ link: [HostAddress]) {
    guard let answer else { return finish() }
    add(answer.address, sighting, link)
    do throws(AvahiError) {
      let port = answer.address.port
      var isOpen = true
      let browser = try RecordBrowser(
        client,
        name: answer.host,
        type: UInt16(sighting.ipVersion == ipVersion4 ? AVAHI_DNS_TYPE_A : AVAHI_DNS_TYPE_AAAA),
        interface: sighting.interface,
        ipVersion: sighting.ipVersion
      ) { [weak self] event in
        switch event {
        case .appeared(let bytes):
          if let address = SocketAddress(bytes: bytes, port: port) { self?.add(address, sighting, link) }
        case .cacheExhausted, .failed:
          if isOpen { self?.finish() }
          isOpen = false
        case .disappeared: break
        }
      }
      records.append(browser)
    } catch {
      finish()
    }
  }

  private func add(_ address: SocketAddress, _ sighting: Sighting, _ link: [HostAddress]) {
    guard let address = AddressFilter.scoped(address, interface: sighting.interface) else { return }
    guard AddressFilter.accepts(address, on: link) else {
      if AddressFilter.isElsewhere(address), !elsewhere.contains(address), elsewhere.count < Limits.addressesPerInstance
      {
        elsewhere.append(address)
      }
      return
    }
    guard !addresses.contains(address), addresses.count < Limits.addressesPerInstance else { return }
    if addresses.isEmpty { timer?.set(after: Self.resolveGrace) }
    addresses.append(address)
  }

  /// One interface has answered.
  private func finish() {
    unanswered -= 1
    // End later, because the object that reported this must not be closed now.
    if unanswered <= 0 { timer?.set(after: .zero) }
  }

  private func end() {
    timer = nil
    for resolver in resolvers { resolver.close() }
    for browser in records { browser.close() }
    resolvers = []
    records = []
    let onEnd = self.onEnd
    self.onEnd = nil
    onEnd?(AddressFilter.alternating(addresses), elsewhere)
  }
}
