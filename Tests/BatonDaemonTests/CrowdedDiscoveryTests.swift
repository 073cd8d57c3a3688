// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import TLS
import TestSupport
import Testing

@testable import BatonDaemon
@testable import Discovery

extension DaemonTests {
  /// Instances that a removed device or a member has made up, in the name of another device.
  struct CrowdedDiscoveryTests {
    /// However many they are, and though there is a session with that device.
    @Test(arguments: [true, false]) func instancesInAConnectedDevicesNameHideNobody(isRemoved: Bool) throws {
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let (lost, member) = (try RawPeer.admitted(by: alpha), try RawPeer.admitted(by: alpha))
        let peer = try RawPeer(member, port: alpha.port)
        try peer.becomeReady()
        try alpha.waitForSessions(1)
        if isRemoved { _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text)) }
        let names = (0..<InstanceTable.instances).map { _ in InstanceName.make(key: member.instanceNameKey) }
        for name in names { try network.inject(name, of: member, addresses: []) }
        let discovery = try #require(alpha.discovery)
        try waitUntil("All were looked at") { try onLoop { discovery.ranks.count } == names.count }
        let ranks = try onLoop { discovery.ranks }
        #expect(ranks.values.count { $0 > .unknown } == (isRemoved ? 0 : Limits.instancesPerPeer))
        // What discovery makes of that.
        var table = InstanceTable()
        func sighting(_ name: String) -> Sighting { Sighting(instance: name, interface: 2, ipVersion: 0) }
        for name in names { _ = table.handle(.appeared(sighting(name))) }
        for (name, rank) in ranks { _ = table.handle(.ranked(instance: name, rank)) }
        #expect(table.handle(.appeared(sighting("new"))) == [])
        #expect((table.handle(.rotated) + table.handle(.rotated)).contains(.watch(sighting("new"))))
      }
    }

    /// One whose turn it is not ends no attempt that others are in.
    @Test func anAddressThatMayNotBeDialledEndsNoAttempt() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let member = try RawPeer.admitted(by: alpha)
        // Ports of one machine, one more than may be dialled immediately.
        let burst = Int(DialLimits.dialsPerTargetRate.burst)
        let ports = try (0...burst).map { _ in try SilentListener() }
        for port in ports {
          try network.inject(InstanceName.make(key: member.instanceNameKey), of: member, addresses: [port.address(2)])
        }
        _ = try alpha.status()
        try clock.pass(Limits.dialCourtesy)
        for _ in 0...burst {
          _ = try alpha.status()
          try clock.pass(Limits.dialStep)
        }
        try waitUntil("As many as may be are dialled") { ports.reduce(0) { $0 + $1.count } == burst }
        #expect(try alpha.peers().map(\.state) == [.connecting])
      }
    }
  }
}

extension FakeNetwork {
  /// An instance that says that it is the device's, sealed with the key of these credentials.
  fileprivate nonisolated func inject(
    _ instance: String,
    of member: Credentials,
    addresses: [SocketAddress]
  ) throws {
    let advert = Advert(
      device: member.device,
      deviceName: "x",
      epoch: 1,
      counter: 1,
      current: nil,
      time: ServerName.now
    )
    let text = try sealed(advert, instance, with: member.advertKey)
    try onLoop {
      self.inject(ServiceInstance(instance: instance, host: "h", port: 1, text: text), addresses: addresses)
    }
  }
}
