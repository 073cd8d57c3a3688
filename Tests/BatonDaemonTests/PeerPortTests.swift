// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Discovery
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// The port for peers, which others may have, and which outlives the daemon.
  struct PeerPortTests {
    @Test func aTakenPortIsReplacedUntilItIsFree() throws {
      let clock = try ManualClock.install()
      let network = try FakeNetwork.make()
      let taker = try Sockets.listen(port: 0)
      let taken = try #require(Sockets.localAddress(of: taker)?.port)
      let machine = try DaemonFixture("alpha", network: network, port: taken)
      defer { machine.removeDirectory() }
      #expect(machine.port != taken && machine.port != 0)
      #expect(try machine.status().port == machine.port)
      let fault = try #require(try onLoop { machine.daemon.listener.port.fault })
      #expect(fault.port == taken && fault.error.code == EADDRINUSE && fault.owner == getuid())
      _ = try machine.createTeam()
      let announced = { try onLoop { network.publications.map(\.port) } }
      #expect(try announced() == [machine.port])

      try clock.pass(PeerPort.portRetryTime * 2)
      #expect(try machine.status().port == machine.port)
      Sockets.close(taker)
      try clock.pass(PeerPort.portRetryTime)
      #expect(try machine.status().port == taken)
      #expect(try onLoop { machine.daemon.listener.port.fault == nil })
      #expect(try announced() == [taken])
      try machine.stop()
    }

    @Test func theSocketOfThePreviousDaemonIsTakenOver() throws {
      let kept = try Sockets.listen(port: 0)
      let port = try #require(Sockets.localAddress(of: kept)?.port)
      // A connection that has come meanwhile waits.
      let early = try RawSocket.connect(port: port)
      defer { Sockets.close(early) }
      let machine = try DaemonFixture("alpha", network: nil, port: port, ports: [kept])
      defer { machine.removeDirectory() }
      #expect(machine.port == port)
      try machine.stop()
      #expect(throws: TestFailure.self) { try RawSocket.connect(port: port) }
    }

    @Test func theSocketOfAnotherPortIsClosed() throws {
      let kept = try Sockets.listen(port: 0)
      let port = try #require(Sockets.localAddress(of: kept)?.port)
      let free = try Sockets.listen(port: 0)
      let wanted = try #require(Sockets.localAddress(of: free)?.port)
      Sockets.close(free)
      let machine = try DaemonFixture("alpha", network: nil, port: wanted, ports: [kept])
      defer { machine.removeDirectory() }
      #expect(machine.port == wanted)
      #expect(throws: TestFailure.self) { try RawSocket.connect(port: port) }
      try machine.stop()
    }
  }
}
