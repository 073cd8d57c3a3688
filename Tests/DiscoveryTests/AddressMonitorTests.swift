// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import Discovery

extension AvahiTests {
  /// These tests are here because they change the addresses of the network that they run in.
  @Loop
  @Suite struct AddressMonitorTests {
    private final class Count {
      var value = 0
    }

    @Test func aNewAddressIsToldOnceWhenItRests() async throws {
      let count = Count()
      let monitor = AddressMonitor(InterfacePolicy()) { count.value += 1 }
      let begin = ContinuousClock.now
      try await Lab.on(Lab.host, "ip", "addr", "add", "127.0.0.2/8", "dev", "lo")
      try await Lab.on(Lab.host, "ip", "addr", "add", "127.0.0.3/8", "dev", "lo")
      try await expect("told") { count.value > 0 }
      #expect(ContinuousClock.now - begin >= AddressMonitor.addressQuietTime)
      try await Lab.on(Lab.host, "ip", "addr", "del", "127.0.0.2/8", "dev", "lo")
      try await Lab.on(Lab.host, "ip", "addr", "del", "127.0.0.3/8", "dev", "lo")
      try await expect("told again") { count.value > 1 }
      #expect(count.value == 2)
      monitor.close()
    }

    @Test func anAddressThatComesAndGoesIsNotTold() async throws {
      let count = Count()
      let monitor = AddressMonitor(InterfacePolicy()) { count.value += 1 }
      try await Lab.on(Lab.host, "sh", "-c", "ip addr add 127.0.0.2/8 dev lo; ip addr del 127.0.0.2/8 dev lo")
      // A later change, which is reported, shows that the first one has been examined.
      let quiet = ContinuousClock.now + AddressMonitor.addressQuietTime + .milliseconds(200)
      try await expect(within: .seconds(3), "quiet") { ContinuousClock.now > quiet }
      #expect(count.value == 0)
      try await Lab.on(Lab.host, "ip", "addr", "add", "127.0.0.4/8", "dev", "lo")
      try await expect("told") { count.value == 1 }
      try await Lab.on(Lab.host, "ip", "addr", "del", "127.0.0.4/8", "dev", "lo")
      monitor.close()
    }
  }
}
