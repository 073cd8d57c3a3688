// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import TLS
import Teams
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct StrangerTests {
    @Test func aDeviceOfAnotherTeamIsToldNothingButThatItIsNotKnown() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        _ = try machines[0].createTeam("One")
        _ = try machines[1].createTeam("Two")
        let foreign = try RawPeer.admitted(by: machines[1])
        let session = try TLSEngine(try TLSContext.client(credentials: foreign))
        let socket = DescriptorOwner(try RawSocket.connect(port: machines[0].port))
        session.withOutput { send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        // One record: the fatal alert unrecognized_name.
        #expect(try RawSocket.waitForEnd(socket.descriptor) == [21, 3, 3, 0, 2, 2, 112])
      }
    }

    @Test func whatIsNotTLSIsClosed() throws {
      try withTeam { a in
        for text in [
          "GET / HTTP/1.1\r\nHost: alpha\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", String(repeating: "\0", count: 99),
        ] {
          let socket = DescriptorOwner(try RawSocket.connect(port: a.port))
          let bytes = Array(text.utf8)
          #expect(send(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
          #expect(try RawSocket.waitForEnd(socket.descriptor).count <= 7)
        }
      }
    }

    @Test func aMachineInNoTeamAnswersNobody() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let socket = DescriptorOwner(try RawSocket.connect(port: machines[0].port))
        #expect(try RawSocket.waitForEnd(socket.descriptor).isEmpty)
      }
    }

    @Test func idleConnectionsOfOneAddressDoNotKeepOthersOut() throws {
      _ = try ManualClock.install()
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let idle = try (0..<64).map { _ in DescriptorOwner(try RawSocket.connect(port: a.port)) }
        try waitUntil("All but a few are closed") {
          idle.count(where: isEnded) == 64 - ConnectionLimits.silentConnectionsPerSource
        }
        let peer = try RawPeer(member, port: a.port, from: "127.0.0.2")
        try peer.becomeReady()
        try a.waitForSessions(1)
      }
    }

    @Test func idleConnectionsOfAllAddressesAreLimited() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let count = Limits.silentConnections + 44
        let idle = try (0..<count).map { number in
          DescriptorOwner(try RawSocket.connect(port: a.port, from: "127.0.1.\(1 + number / 4)"))
        }
        try waitUntil("As many give way as are too many") { idle.count(where: isEnded) == 44 }
        #expect(!idle.suffix(4).contains(where: isEnded))
        try RawPeer(member, port: a.port).becomeReady()
        try clock.pass(PeerListener.clientHelloTime)
        try waitUntil("The others are closed at the deadline") { idle.allSatisfy(isEnded) }
      }
    }

    @Test func aHandshakeThatDribblesIsClosedAtItsDeadline() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let session = try TLSEngine(try TLSContext.client(credentials: try RawPeer.admitted(by: a)))
        var bytes: [UInt8] = []
        session.withOutput {
          bytes = Array($0)
          return $0.count
        }
        let socket = DescriptorOwner(try RawSocket.connect(port: a.port))
        for second in 0..<Int(PeerListener.clientHelloTime.components.seconds) {
          #expect(!isEnded(socket))
          #expect(send(socket.descriptor, [bytes[second]], 1, Int32(MSG_NOSIGNAL)) == 1)
          // When this call is answered, the daemon has read the byte.
          _ = try a.status()
          try clock.pass(.seconds(1))
        }
        #expect(try RawSocket.waitForEnd(socket.descriptor).isEmpty)
      }
    }

    @Test func aMemberThatSaysNothingIsClosedAtItsDeadline() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        guard case .session(.hello) = try peer.next() else { throw TestFailure("No hello") }
        try clock.pass(Limits.acceptTime)
        #expect(try peer.farewell() == .handshakeTimedOut)
      }
    }

    @Test func aVisitorWithACodeThatSaysNothingIsClosedAtItsDeadline() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let code = try invitation(try a.invite())
        let visitors = try (0..<3).map { _ in try RawPeer(code, port: a.port) }
        // Half a frame is not a request.
        try visitors[1].send([0, 0, 9, 32, 0x7B])
        _ = try a.status()
        try clock.pass(Limits.acceptTime)
        for visitor in visitors { #expect(try visitor.nextFrame() == nil) }
      }
    }

    @Test func aVisitorWithACodeThatTalksNonsenseIsClosed() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let a = machines[0]
        _ = try a.createTeam()
        let code = try a.invite()
        let nonsense: [[UInt8]] = [
          [0, 0, 2, 32, 0x7B, 0x7D], [0, 0, 0, 32], RawPeer.hello().frame, [0xFF, 0xFF, 0xFF, 32],
        ]
        for bytes in nonsense {
          let visitor = try RawPeer(try invitation(code), port: a.port)
          try visitor.send(bytes)
          #expect(try visitor.nextFrame() == nil)
        }
        // The code is still valid.
        _ = try machines[1].join(code, at: a)
      }
    }

    @Test func visitorsWithACodeAreLimited() throws {
      _ = try ManualClock.install()
      try withTeam { a in
        let code = try invitation(try a.invite())
        let before = Descriptors.count
        let count = Int(ConnectionLimits.rareHandshakesPerSourceRate.burst)
        let visitors = (0..<count + 8).compactMap { _ in try? RawPeer(code, port: a.port) }
        #expect(visitors.count == count)
        try waitUntil("The others were closed") { Descriptors.count <= before + 2 * count }
      }
    }
  }
}

private func invitation(_ code: String) throws -> TLSContext {
  try TLSContext.joining(code: InvitationCode(text: code))
}

/// Whether the other side has closed the connection.
private func isEnded(_ socket: DescriptorOwner) -> Bool {
  var byte: UInt8 = 0
  let count = recv(socket.descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
  return count == 0 || count < 0 && errno != EAGAIN
}
