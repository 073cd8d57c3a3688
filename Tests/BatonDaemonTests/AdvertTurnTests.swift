// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import Handoff
import TLS
import TestSupport
import Testing

extension DaemonTests {
  /// Names and adverts, which are valid for a limited time.
  struct AdvertTurnTests {
    @Test func nothingOfAnAdvertIsThereInTheNext() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        _ = try machines[0].createTeam()
        _ = try machines[0].advertise(ControlActivity(activityType: "org.example.notes"))
        func publication() throws -> ServiceInstance {
          try waitUntil("There is one") { try onLoop { network.publications.count } == 1 }
          return try #require(try onLoop { network.publications.first })
        }
        func pieces(_ publication: ServiceInstance) -> Set<[UInt8]> {
          let texts = publication.text.filter { $0 != Array("txtvers=1".utf8) }.map { Array($0.dropFirst(2)) }
          let all = texts + [Array(publication.instance.utf8), Array(publication.host.utf8)]
          return Set(
            all.flatMap { text in (0...max(0, text.count - 6)).map { Array(text[$0..<min(text.count, $0 + 6)]) } }
          )
        }
        var seen = Set<[UInt8]>()
        var last = ""
        for _ in 0..<4 {
          try waitUntil("It has another name") { try publication().instance != last }
          let publication = try publication()
          last = publication.instance
          #expect(seen.isDisjoint(with: pieces(publication)))
          seen.formUnion(pieces(publication))
          try clock.pass(Limits.advertPeriod)
        }
      }
    }

    @Test func whereEveryNameIsTakenItIsRenamedSeldom() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        try onLoop { network.takesNames = true }
        _ = try machines[0].createTeam()
        _ = try machines[0].advertise(ControlActivity(activityType: "org.example.notes"))
        try waitUntil("It was announced") { try onLoop { network.publishedCount } > 0 }
        for _ in 0..<60 {
          try clock.pass(.seconds(1))
          // The collision is reported on a later turn of the loop.
          _ = try machines[0].status()
        }
        let count = try onLoop { network.publishedCount }
        #expect((4...9).contains(count), "\(count) names in a minute")
        try onLoop { network.takesNames = false }
        try clock.pass(Limits.renameBackoff.upperBound)
        try waitUntil("It is announced") { try onLoop { network.publications.count } == 1 }
      }
    }

    /// An endless number of instances does not set the pace, no matter who made them.
    @Test func aDeviceThatWasMetIsDialledSoOften() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let member = try RawPeer.admitted(by: alpha)
        let peer = try RawPeer(member, port: alpha.port)
        try peer.becomeReady()
        peer.hangUp()
        try alpha.waitForSessions(0)
        let listener = DescriptorOwner(try Sockets.listen(port: 0))
        let port = Sockets.localAddress(of: listener.descriptor)?.port ?? 0
        let address = SocketAddress(bytes: [127, 0, 0, 1], port: port)
        var dialled = 0
        for number in 0..<100 {
          let advert = Advert(
            device: member.device,
            deviceName: "x",
            epoch: 1,
            counter: UInt64(number + 2),
            current: nil,
            time: ServerName.now
          )
          let instance = InstanceName.make(key: member.instanceNameKey)
          let text = try sealed(advert, instance, with: member.advertKey)
          try onLoop {
            let publication = ServiceInstance(instance: instance, host: "h", port: port, text: text)
            network.inject(publication, addresses: [address].compactMap(\.self))
          }
          try clock.pass(Limits.dialCourtesy)
          // Count the dials, and let the daemon notice how they end.
          for _ in 0..<4 {
            _ = try alpha.status()
            while hasConnection(listener) {
              close(accept(listener.descriptor, nil, nil))
              dialled += 1
            }
          }
        }
        let (rate, time) = (ReachabilityLimits.newInstancesPerPeerRate, Limits.dialCourtesy * 100 / .seconds(1))
        #expect((2...Int(rate.burst + rate.perSecond * time)).contains(dialled), "\(dialled) times")
      }
    }

    /// A stranger has recorded a member's advert, and announces it with an address of its own.
    @Test(arguments: [true, false]) func anOldAdvertIsNotDialled(isOld: Bool) throws {
      _ = try ManualClock.install()
      try withDaemons("alpha") { machines, network in
        _ = try machines[0].createTeam()
        let members = try (0..<2).map { _ in try RawPeer.admitted(by: machines[0]) }
        let listeners = try (0..<2).map { _ in DescriptorOwner(try Sockets.listen(port: 0)) }
        let times = [ServerName.now - (isOld ? Advert.advertAge + 60 : 0), ServerName.now]
        for (number, member) in members.enumerated() {
          let port = Sockets.localAddress(of: listeners[number].descriptor)?.port ?? 0
          let advert = Advert(
            device: member.device,
            deviceName: "x",
            epoch: 1,
            counter: 1,
            current: nil,
            time: times[number]
          )
          let instance = InstanceName.make(key: member.instanceNameKey)
          let text = try sealed(advert, instance, with: member.advertKey)
          try onLoop {
            let addresses = [SocketAddress(bytes: [127, 0, 0, UInt8(number + 1)], port: port)].compactMap(\.self)
            network.inject(
              ServiceInstance(instance: instance, host: "h", port: port, text: text),
              addresses: addresses
            )
          }
        }
        let clock = try #require(try onLoop { Loop.clock as? ManualClock })
        try clock.pass(Limits.dialCourtesy)
        try waitUntil("The member is dialled") { hasConnection(listeners[1]) }
        if isOld {
          #expect(!hasConnection(listeners[0]))
        } else {
          try waitUntil("So is the other one") { hasConnection(listeners[0]) }
        }
      }
    }
  }
}

private func hasConnection(_ listener: DescriptorOwner) -> Bool {
  var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 0) > 0
}
