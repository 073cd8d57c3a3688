// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Reports that this machine's addresses, links or routes have changed, once they have settled.
@Loop
final class AddressMonitor {
  /// How long this machine's addresses must stay the same before they count as changed.
  nonisolated static let addressQuietTime = Duration.seconds(1)
  /// The time after which addresses count as changed even if they keep changing.
  private static let addressSettleTime = Duration.seconds(5)

  private var readiness: Readiness?
  private var timer: Timer?
  private let policy: InterfacePolicy
  private var known: NetworkState
  /// When the current series of changes began; nil if nothing is changing.
  private var restlessSince: ContinuousClock.Instant?
  private let onChange: @Loop () -> Void

  /// - Parameter policy: Changes on the interfaces that it excludes are ignored.
  init(_ policy: InterfacePolicy, onChange: @escaping @Loop () -> Void) {
    self.policy = policy
    self.onChange = onChange
    known = .current(policy)
    timer = Timer { [weak self] in self?.compare() }
    guard let socket = Self.openSocket() else { return }
    readiness = Readiness(owning: socket)
    readiness?.onReadable = { [weak self] in self?.drain() }
    readiness?.isReading = true
  }

  func close() {
    readiness?.close()
    timer = nil
  }

  /// Reads all messages and schedules a comparison. Their content does not matter, nor does it matter if the kernel
  /// dropped some, because they only tell when to look.
  private func drain() {
    guard let readiness else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(readiness.descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS || errno == EINTR {}
    let since = restlessSince ?? .now
    restlessSince = since
    timer?.set(min(.now + Self.addressQuietTime, since + Self.addressSettleTime))
  }

  private func compare() {
    restlessSince = nil
    let now = NetworkState.current(policy)
    guard now != known else { return }
    known = now
    onChange()
  }

  private static func openSocket() -> Int32? {
    let routeProtocol: Int32 = 0  // NETLINK_ROUTE; the Glibc module lacks netlink.
    // RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR, _IPV6_ROUTE
    let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    let type = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_NETLINK, type, routeProtocol)
    guard descriptor >= 0 else { return nil }
    // struct sockaddr_nl
    var address = (
      family: sa_family_t(AF_NETLINK), padding: UInt16(0), port: UInt32(0), groups: groups
    )
    let size = socklen_t(MemoryLayout.size(ofValue: address))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard result == 0 else {
      _ = Glibc.close(descriptor)
      return nil
    }
    return descriptor
  }
}
