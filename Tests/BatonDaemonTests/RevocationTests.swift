// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import Handoff
import TLS
import Teams
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// A device that was lost, and how the others treat it.
  struct RevocationTests {
    @Test func theOthersDropADeviceThatWasRemoved() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        let note = try gamma.advertise(ControlActivity(activityType: "org.example.notes"))
        for machine in [alpha, beta] { try machine.waitForOffer(note.id, by: .session) }
        let reply = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "gamma"))
        #expect(!reply.already && reply.device.name == "gamma" && reply.device.revoked != nil)
        for machine in [alpha, beta] {
          try waitUntil("\(machine.name) lets it go") {
            try machine.status().sessions == 1 && machine.offers().isEmpty && machine.peers().count == 1
          }
        }
        try gamma.waitForSessions(0)
        // The other two continue without it.
        let other = try beta.advertise(ControlActivity(activityType: "org.example.notes"))
        #expect(try alpha.waitForOffer(other.id).device == "beta")
        #expect(try alpha.continueActivity(other.id).device == "beta")
        for machine in [alpha, beta] { Descriptors.cutConnections(ofPort: machine.port) }
        let later = try beta.advertise(ControlActivity(activityType: "org.example.notes"))
        try alpha.waitForOffer(later.id, by: .session)
        // To the lost device, it looks as if nobody were there.
        try waitUntil("gamma sees nobody") { try gamma.peers().isEmpty && gamma.offers().isEmpty }
      }
    }

    @Test func aRemovedDeviceReadsNoAdvertsAnyMore() throws {
      try withDaemons("alpha", "beta") { machines, network in
        try connect(machines)
        let (lost, member) = (try RawPeer.admitted(by: machines[0]), try RawPeer.admitted(by: machines[0]))
        func readable(with credentials: Credentials) throws -> Int {
          let key = credentials.advertKey
          return try onLoop { network.publications.count { read($0, with: key) != nil } }
        }
        #expect(try readable(with: lost) == 2)
        let peer = try RawPeer(member, port: machines[1].port)
        try peer.becomeReady()
        let call = RevokeDevice.Parameters(device: lost.device.text)
        _ = try machines[0].call(RevokeDevice.self, call)
        let told = try peer.hear("the list") { if case .team(.revocations(let told)) = $0 { told } else { nil } }
        try waitUntil("Nothing is sealed with the old key") { try readable(with: lost) == 0 }
        #expect(try readable(with: member.using(discoveryKey: told.discoveryKey)) == 2)
      }
    }

    /// With the key that it knew, it can still seal adverts, in anybody's name.
    @Test func anAdvertUnderAKeyOfBeforeFindsOnlyDevicesThatWereMet() throws {
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let devices = try (0..<3).map { _ in try RawPeer.admitted(by: alpha) }
        let (lost, member, stranger) = (devices[0], devices[1], devices[2])
        let peer = try RawPeer(member, port: alpha.port)
        try peer.becomeReady()
        try alpha.waitForSessions(1)
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text))
        func inject(_ device: DeviceID) throws {
          let instance = InstanceName.make(key: member.instanceNameKey)
          let record = try ActivityRecord(id: .random(), activityType: "org.example.notes")
          let advert = Advert(
            device: device,
            deviceName: "x",
            epoch: 1,
            counter: 1,
            current: Advert.Current(record),
            time: ServerName.now
          )
          let text = try sealed(advert, instance, with: member.advertKey)
          try onLoop {
            network.inject(ServiceInstance(instance: instance, host: "h", port: 1, text: text), addresses: [])
          }
        }
        try inject(lost.device)
        try inject(stranger.device)
        try inject(member.device)
        peer.hangUp()
        try alpha.waitForSessions(0)
        // Only the member's advert is left.
        #expect(try alpha.peers().map(\.deviceID) == [member.device])
        #expect(try alpha.offers().isEmpty)
      }
    }

    @Test func aRemovedDeviceIsRefusedAndTold() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        try connect(machines)
        let lost = try RawPeer.admitted(by: alpha)
        let peer = try RawPeer(lost, port: alpha.port)
        try peer.becomeReady()
        try alpha.waitForSessions(2)
        // The device's name is known from its hello.
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "gamma"))
        #expect(try peer.farewell() == .certificateRevoked)
        try waitUntil("beta knows") { try revocations(at: beta) == revocations(at: alpha) }
        for machine in [alpha, beta] {
          let peer = try RawPeer(lost, port: machine.port)
          let error = #expect(throws: TLSError.self) { try peer.next() }
          #expect(error?.reason == .certificateRevoked)
          #expect(try machine.status().sessions == 1)
        }
      }
    }

    @Test func aDeviceThatIsBeingDialledIsForgotten() throws {
      try withDaemons("alpha") { machines, network in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let lost = try RawPeer.admitted(by: alpha)
        // This listener accepts connections and sends nothing.
        let silent = DescriptorOwner(try Sockets.listen(port: 0))
        let port = Sockets.localAddress(of: silent.descriptor)?.port ?? 0
        let advert = Advert(
          device: lost.device,
          deviceName: "lost",
          epoch: 1,
          counter: 1,
          current: nil,
          time: ServerName.now
        )
        let instance = InstanceName.make(key: lost.instanceNameKey)
        let text = try sealed(advert, instance, with: lost.advertKey)
        try onLoop {
          let addresses = [SocketAddress(bytes: [127, 0, 0, 1], port: port)].compactMap(\.self)
          network.inject(ServiceInstance(instance: instance, host: "h", port: port, text: text), addresses: addresses)
        }
        try waitUntil("It is dialled") {
          var entry = pollfd(fd: silent.descriptor, events: Int16(POLLIN), revents: 0)
          return poll(&entry, 1, 0) == 1
        }
        #expect(try alpha.peers().map(\.state) == [.connecting])
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text))
        try waitUntil("It is forgotten") { try alpha.peers().isEmpty }
      }
    }

    @Test func aMachineThatWasAwayLearnsItFromAnyOther() throws {
      try withDaemons("alpha", "beta", "gamma", "delta") { machines, network in
        let (alpha, beta, gamma, delta) = (machines[0], machines[1], machines[2], machines[3])
        try connect(machines)
        try delta.stop()
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "gamma"))
        try waitUntil("beta knows") { try revocations(at: beta) == revocations(at: alpha) }
        try alpha.stop()
        let again = try DaemonFixture("delta", network: network, directory: delta.directory)
        try waitUntil("It learns it and keeps its session with beta alone") {
          try revocations(at: again) == revocations(at: beta) && again.status().sessions == 1
            && again.peers().map(\.device) == ["beta"]
        }
        try gamma.waitForSessions(0)
        try again.stop()
      }
    }

    @Test func listsGoToThoseWhoHaveAnOlderOne() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let (lost, member) = (try RawPeer.admitted(by: alpha), try RawPeer.admitted(by: alpha))
        let early = try RawPeer(member, port: alpha.port)
        try early.becomeReady()
        try alpha.waitForSessions(1)
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text))
        let list = try early.hear("the list") { if case .team(.revocations(let list)) = $0 { list } else { nil } }
        let held = try RevocationList(der: list.list, authority: member.authority)
        #expect(held.names(lost.device))
        let last = held.number
        let digest = RevocationLists(held, discoveryKey: list.discoveryKey).digest
        // Earlier versions send no digest. For them, the number alone decides.
        for (index, (number, said, isTold)) in [
          (0, nil, true), (last - 1, nil, true), (last, nil, false), (last + 1, nil, false), (last, digest, false),
          (last, SHA256.hash([]), true), (last + 1, SHA256.hash([]), true),
        ].enumerated() as EnumeratedSequence<[(UInt64, [UInt8]?, Bool)]> {
          let peer = try RawPeer(member, port: alpha.port)
          var hello = Hello(minimum: 1, maximum: 1, device: "x", epoch: 2 + UInt64(index), revocations: number)
          hello.revocationDigest = said
          try peer.send(hello)
          try peer.send(Accepted(version: 1))
          guard case .session(.hello(let hello)) = try peer.next(), case .session(.accepted) = try peer.next() else {
            throw TestFailure("No beginning")
          }
          #expect(hello.revocations == last && hello.revocationDigest == digest)
          try peer.send(Ping(number: 7))
          let next = try peer.next()
          #expect((next == .team(.revocations(list))) == isTold, "\(index): \(String(describing: next))")
        }
      }
    }

    @Test func aForgedListEndsTheSessionAndChangesNothing() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let alpha = machines[0]
        _ = try alpha.createTeam()
        let (first, second) = (try RawPeer.admitted(by: alpha), try RawPeer.admitted(by: alpha))
        let member = try RawPeer.admitted(by: alpha)
        var lists: [Revocations] = []
        let watching = try RawPeer(member, port: alpha.port)
        try watching.becomeReady()
        for lost in [first, second] {
          _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text))
          lists.append(try watching.hear("a list") { if case .team(.revocations(let list)) = $0 { list } else { nil } })
        }
        var forged = lists[1]
        forged.list[forged.list.count / 2] ^= 1
        try watching.send(forged)
        #expect(try watching.farewell() == .protocolViolation)
        let last = try RevocationList(der: lists[1].list, authority: member.authority).number
        #expect(try revocations(at: alpha) == last)
        // An old list is not an error, because it may have been on its way.
        let peer = try RawPeer(member, port: alpha.port)
        try peer.becomeReady()
        for list in lists { try peer.send(list) }
        try peer.send(Ping(number: 7))
        _ = try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong } else { nil } }
        #expect(try revocations(at: alpha) == last)
      }
    }

    @Test func whatCannotBeRemovedIsSaid() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        let team = try alpha.createTeam()
        _ = try beta.join(try alpha.invite(), at: alpha)
        func failure(_ device: String, at machine: DaemonFixture) throws -> Reason {
          try machine.failure(of: RevokeDevice.self, RevokeDevice.Parameters(device: device))
        }
        #expect(try failure("alpha", at: alpha) == .notPermitted)
        #expect(try failure(team.deviceID.text, at: alpha) == .notPermitted)
        #expect(try failure("nobody", at: alpha) == .peerNotFound)
        #expect(try failure("beta", at: beta) == .notAdministrator)
        #expect(try beta.failure(of: ListDevices.self, ListDevices.Parameters()) == .notAdministrator)
        // Another machine has the same name.
        let code = try alpha.invite()
        let twin = try DaemonFixture("beta", network: nil)
        defer { twin.removeDirectory() }
        let twinID = try twin.join(code, at: alpha).deviceID
        #expect(try failure("beta", at: alpha) == .deviceAmbiguous)
        let first = RevokeDevice.Parameters(device: String(twinID.text.prefix(12)).lowercased())
        #expect(try alpha.call(RevokeDevice.self, first).device.deviceID == twinID)
        #expect(try alpha.call(RevokeDevice.self, first).already)
        #expect(try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "beta")).device.deviceID != twinID)
        let devices = try alpha.call(ListDevices.self, ListDevices.Parameters()).devices
        #expect(devices.map(\.name) == ["beta", "beta"] && devices.allSatisfy { $0.revoked != nil })
        try twin.stop()
      }
    }
  }
}

/// Returns the content of an advert for someone with this key; nil if the key does not open it.
private func read(_ publication: ServiceInstance, with key: [UInt8]) -> [UInt8]? {
  guard let sealed = AdvertText.sealed(in: publication.text) else { return nil }
  let nonce = Array(sealed.prefix(Sealer.nonceLength))
  let rest = Array(sealed.dropFirst(Sealer.nonceLength))
  return Sealer(key: key)?.open(rest, nonce: nonce, additional: Array(publication.instance.utf8))
}

/// Returns the strings of an instance that shows `advert`.
func sealed(_ advert: Advert, _ instance: String, with key: [UInt8]) throws -> [[UInt8]] {
  let nonce = SystemRandom.bytes(Sealer.nonceLength)
  guard let bytes = try Sealer(key: key)?.seal(advert.plaintext, nonce: nonce, additional: Array(instance.utf8)) else {
    throw TestFailure("No sealer")
  }
  return AdvertText.strings(sealed: nonce + bytes, sign: SystemRandom.bytes(AdvertText.signLength))
}

/// Returns the number of the revocation list that the machine holds of its only team; 0 for none.
private func revocations(at machine: DaemonFixture) throws -> UInt64 {
  try onLoop { machine.daemon.revocationLists.first?.number ?? 0 }
}

extension Daemon {
  /// The revocation lists that the machine holds for each of its teams.
  var revocationLists: [RevocationLists] { membership.teams.map(\.credentials.revocations) }
}
