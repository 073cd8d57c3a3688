// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import TLS
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct DialerTests {
    @Test func aLiveAddressIsFoundBesideDeadOnes() throws {
      try Descriptors.settle()
      let before = Descriptors.count
      let listener = DescriptorOwner(try Sockets.listen(port: 0))
      guard let live = Sockets.localAddress(of: listener.descriptor) else { throw TestFailure("No port") }
      let dial = try onLoop { Dial(["127.0.0.1:1", "0.0.0.0:0", "127.0.0.3:1"], live: live.port) }
      try waitUntil("One answers") { try onLoop { dial.answers.count == 1 } }
      let (descriptor, address) = try onLoop { dial.answers[0] }
      #expect(address?.port == live.port)
      #expect(fcntl(descriptor ?? -1, F_GETFL) & O_NONBLOCK != 0)
      if let descriptor { close(descriptor) }
      try waitUntil("The attempts are closed") { Descriptors.count == before + 1 }
    }

    @Test func whereNobodyAnswersItSaysSoOnce() throws {
      let clock = try ManualClock.install()
      let refused = try onLoop { Dial(["127.0.0.1:1", "127.0.0.2:1"], live: nil) }
      try waitUntil("It ends") { try onLoop { refused.answers.count == 1 } }
      #expect(try onLoop { refused.answers[0].0 } == nil)
      let nowhere = try onLoop { Dial([], live: nil) }
      try waitUntil("It ends") { try onLoop { nowhere.answers.count == 1 } }
      try clock.pass(Limits.connectTime)
      #expect(try onLoop { refused.answers.count + nowhere.answers.count } == 2)
    }

    @Test func whoGivesUpIsNotCalled() throws {
      let clock = try ManualClock.install()
      try Descriptors.settle()
      let before = Descriptors.count
      let listener = DescriptorOwner(try Sockets.listen(port: 0))
      guard let live = Sockets.localAddress(of: listener.descriptor) else { throw TestFailure("No port") }
      let dial = try onLoop {
        let dial = Dial(["127.0.0.1:1"], live: live.port)
        dial.dialer?.cancel()
        return dial
      }
      try clock.pass(Limits.connectTime)
      try waitUntil("The attempts are closed") { Descriptors.count == before + 1 }
      #expect(try onLoop { dial.answers.isEmpty })
    }

    // MARK: A peer

    @Test func anAddressThatTakesConnectionsAndSaysNothingHoldsNobodyUp() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let silent = try (0..<3).map { _ in DescriptorOwner(try Sockets.listen(port: 0)) }
        let ports = silent.compactMap { Sockets.localAddress(of: $0.descriptor)?.port } + [a.port]
        let began = ContinuousClock.now
        let dial = try onLoop { PeerDial(ports.map { "127.0.0.1:\($0)" }, member) }
        try waitUntil("The one that speaks is kept") { try onLoop { dial.address?.port == ports.last } }
        // This takes three steps and a handshake, and the machine may be busy.
        #expect(began.duration(to: .now) < TLSConnection.handshakeTime)
        try onLoop { dial.finish() }
      }
    }

    @Test func addressesThatComeLaterAreDialledToo() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let silent = DescriptorOwner(try Sockets.listen(port: 0))
        let port = Sockets.localAddress(of: silent.descriptor)?.port ?? 0
        let live = a.address
        let dial = try onLoop {
          let dial = PeerDial(["127.0.0.1:\(port)"], member)
          dial.add(["127.0.0.1:\(port)", live])
          return dial
        }
        try waitUntil("It is kept") { try onLoop { dial.address?.description == live } }
        try onLoop { dial.finish() }
      }
    }

    @Test func whereNobodyAnswersAUserWhoWaitsDialsOnceMore() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let clock = try ManualClock.install()
        let silent = DescriptorOwner(try Sockets.listen(port: 0))
        let port = Sockets.localAddress(of: silent.descriptor)?.port ?? 0
        let dial = try onLoop { PeerDial(["127.0.0.1:\(port)"], member) }
        var descriptors: [DescriptorOwner] = []
        func waitForConnections(_ count: Int) throws {
          try waitUntil("There are \(count)") {
            let descriptor = accept(silent.descriptor, nil, nil)
            if descriptor >= 0 { descriptors.append(DescriptorOwner(descriptor)) }
            return descriptors.count == count
          }
        }
        try waitForConnections(1)
        for count in 1...PeerDialer.dialsPerAddress + 1 {
          // The answer may still be on its way.
          try onLoop { dial.dialer?.dialAgain { _ in true } }
          try waitForConnections(min(count, PeerDialer.dialsPerAddress))
          try clock.pass(Limits.dialStep)
          try onLoop { dial.dialer?.dialAgain { _ in false } }
          try onLoop { dial.dialer?.dialAgain { _ in true } }
        }
        try waitForConnections(PeerDialer.dialsPerAddress)
        #expect(accept(silent.descriptor, nil, nil) < 0)
        try onLoop { dial.dialer?.cancel() }
      }
    }

    @Test func theMostTellingReasonIsTold() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (a, b) = (machines[0], machines[1])
        _ = try a.createTeam()
        _ = try b.createTeam("Other")
        let member = try RawPeer.admitted(by: a)
        let dead = "127.0.0.1:1"
        for (addresses, reason) in [
          ([], .peerUnreachable), ([dead], .peerUnreachable), ([b.address], .otherTeam),
          // A stranger at the peer's old address says nothing about the peer.
          ([dead, b.address], .peerUnreachable),
        ] as [([String], Reason)] {
          let dial = try onLoop { PeerDial(addresses, member) }
          try waitUntil("It fails: \(addresses)") { try onLoop { dial.reason == reason } }
        }
      }
    }

    @Test func whoGivesAPeerUpIsNotCalled() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let live = a.address
        let dial = try onLoop {
          let dial = PeerDial([live], member)
          dial.dialer?.cancel()
          return dial
        }
        _ = try a.status()
        #expect(try onLoop { dial.address == nil && dial.reason == nil })
      }
    }
  }
}

@Loop
private final class PeerDial {
  var dialer: PeerDialer?
  private(set) var reason: Reason?
  private var connection: TLSConnection?

  var address: SocketAddress? { connection?.address }

  init(_ addresses: [String], _ member: Credentials) {
    dialer = PeerDialer(
      Self.parse(addresses),
      makeEngine: { _ in try? TLSEngine(try TLSContext.client(credentials: member)) },
      completion: { [weak self] result in
        switch result {
        case .success(let connection): self?.connection = connection
        case .failure(let reason): self?.reason = reason
        }
      }
    )
  }

  func add(_ addresses: [String]) { dialer?.add(Self.parse(addresses)) }

  func finish() { connection?.finish() }

  private static func parse(_ addresses: [String]) -> [SocketAddress] {
    addresses.compactMap { text in
      let parts = text.split(separator: ":")
      return SocketAddress(numericHost: String(parts[0]), port: UInt16(parts[1]) ?? 0)
    }
  }
}

@Loop
private final class Dial {
  var answers: [(Int32?, SocketAddress?)] = []
  var dialer: Dialer?

  init(_ dead: [String], live: UInt16?) {
    var addresses = dead.compactMap { text -> SocketAddress? in
      let parts = text.split(separator: ":")
      return SocketAddress(numericHost: String(parts[0]), port: UInt16(parts[1]) ?? 0)
    }
    if let live {
      addresses.append(contentsOf: [SocketAddress(numericHost: "127.0.0.1", port: live)].compactMap(\.self))
    }
    dialer = Dialer(addresses) { [weak self] in self?.answers.append(($0, $1)) }
  }
}
