import Activity
import EventLoop
import Glibc

/// One question for the addresses of an instance, asked on each interface where it was seen.
///
/// It ends when all have answered, or soon after the first did, or in time without any.
@AvahiQueue
final class Resolution {
  let request: UInt64
  private var resolvers: [ServiceResolver] = []
  private var unanswered = 0
  private var addresses: [SocketAddress] = []
  private var timer: AvahiTimer?
  private var onEnd: (@AvahiQueue ([SocketAddress]) -> Void)?

  /// - Parameter onEnd: Called once, also before this returns.
  init(
    _ client: AvahiClient,
    request: UInt64,
    sightings: [Sighting],
    onEnd: @escaping @AvahiQueue ([SocketAddress]) -> Void
  ) {
    self.request = request
    self.onEnd = onEnd
    timer = AvahiTimer { [weak self] in self?.end() }
    for sighting in sightings {
      let isLoopback = Self.isLoopback(sighting.interface)
      let resolver = try? ServiceResolver(client, sighting) { [weak self] address in
        self?.answered(address.flatMap { AddressFilter.scoped($0, interface: sighting.interface) }, isLoopback)
      }
      if let resolver { resolvers.append(resolver) }
    }
    unanswered = resolvers.count
    timer?.set(after: Limits.resolveTime)
    if resolvers.isEmpty { end() }
  }

  /// Gives up without an answer.
  func close() {
    onEnd = nil
    end()
  }

  private func answered(_ address: SocketAddress?, _ isLoopback: Bool) {
    unanswered -= 1
    if let address, AddressFilter.accepts(address, isLoopback: isLoopback), !addresses.contains(address) {
      if addresses.isEmpty { timer?.set(after: Limits.resolveGrace) }
      addresses.append(address)
    }
    if unanswered <= 0 { end() }
  }

  private func end() {
    timer = nil
    for resolver in resolvers { resolver.close() }
    resolvers = []
    let onEnd = self.onEnd
    self.onEnd = nil
    onEnd?(addresses)
  }

  private static func isLoopback(_ interface: Int32) -> Bool {
    guard let index = UInt32(exactly: interface) else { return false }
    return HostAddresses.isLoopback(interface: index)
  }
}
