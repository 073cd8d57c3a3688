// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

/// Hosts to which `baton continue` offers ssh.
struct HostLocationTests {
  @Test(arguments: [
    "localhost", "LOCALHOST", "127.0.0.1", "127.1", "2130706433", "0", "0.0.0.0", "0x7f000001", "::1", "::",
    "::ffff:127.0.0.1", "no-such-host.invalid", "",
  ])
  func theseLeadToThisMachineOrNowhere(name: String) { #expect(!HostLocation(of: name).isElsewhere) }

  @Test(arguments: ["192.0.2.1", "2001:db8::1"])
  func theseAreElsewhere(name: String) { #expect(HostLocation(of: name).isElsewhere) }
}
