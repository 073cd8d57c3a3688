// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import JSONCoding
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// Streams of a daemon that is restarted while systemd keeps their sockets.
  struct KeptStreamTests {
    @Test(arguments: [true, false]) func aStreamGoesOnWithTheNextDaemon(restartsOrigin: Bool) throws {
      try withRestart(restartsOrigin) { scene in
        // In both directions, some bytes have been read, some are held by either daemon, and some have not been sent.
        let (there, back) = (noise(3 << 20, seed: 21), noise(3 << 20, seed: 22))
        let writing = [(scene.near, there), (scene.far, back)].map { end, data in
          onThread {
            try end.write(data)
            end.finish()
            return true
          }
        }
        let begun = try (scene.far.read(1 << 20), scene.near.read(1 << 20))
        let next = try scene.restart()
        let asking = onThread { [token = scene.restarted.token] in try next.outcome(of: token) }
        let rest = onThread { [near = scene.near] in try near.readAll() }
        #expect(try begun.0 + scene.far.readAll() == there)
        #expect(try begun.1 + rest.wait() == back)
        for thread in writing { #expect(try thread.wait()) }
        #expect(try asking.wait() == nil)
        #expect(try scene.other.outcome(of: scene.otherEnd) == nil)
      }
    }

    @Test func anAppThatDoesNotAskAgainIsGone() throws {
      let clock = try ManualClock.install()
      try withRestart(true) { scene in
        let waiting = try DescriptorOwner.calling(
          "{\"method\":\"io.baton.Handoff.AwaitStream\",\"parameters\":{\"stream\":\"\(scene.restarted.token)\"}}",
          at: scene.daemon
        )
        try waitUntil("It waits") { [daemon = scene.daemon] in
          try onLoop { daemon.daemon.shell.results.waiterCount == 1 }
        }
        let next = try scene.restart()
        _ = waiting
        scene.restarted.finish()
        try next.waitForSessions(1)
        try clock.pass(StreamEndpoint.streamReturnTime)
        #expect(try scene.other.outcome(of: scene.otherEnd) == .streamReset)
      }
    }

    /// What the previous daemon wrote to the socket is still in it.
    @Test(arguments: [true, false]) func whatAnAppHasNotReadIsKnownToTheNextDaemon(readsAll: Bool) throws {
      try withRestart(false) { scene in
        try scene.far.write(noise(30_000, seed: 23))
        scene.far.finish()
        scene.near.finish()
        try waitUntil("All has come") { scene.near.hasEnd }
        let next = try scene.restart()
        try next.waitForSessions(1)
        let other = onThread { [other = scene.other, end = scene.otherEnd] in try other.outcome(of: end) }
        let read = try scene.near.read(readsAll ? 30_000 : 29_999)
        #expect(read.count == (readsAll ? 30_000 : 29_999))
        scene.near.close()
        #expect(try next.outcome(of: scene.near) == (readsAll ? nil : .streamReset))
        #expect(try other.wait() == (readsAll ? nil : .streamReset))
      }
    }

    @Test func whatIsKeptIsReadAsItWas() throws {
      var flow = StreamFlow()
      flow.sent(9)
      try flow.received(5, at: 0)
      _ = flow.took(2)
      _ = flow.report()
      let saved = SavedStream(
        id: StreamID(
          peer: PeerID(
            team: try #require(TeamID(bytes: Array(repeating: 1, count: 32))),
            device: try #require(DeviceID(bytes: Array(repeating: 2, count: 32)))
          ),
          number: 7
        ),
        token: "stream-1-2",
        user: 1000,
        isAwaited: true,
        flow: flow,
        replay: Array(1...9),
        early: [0, 1],
        held: [7, 8, 9]
      )
      #expect(SavedStream(bytes: saved.bytes) == saved)
      for count in [0, 1, saved.bytes.count - 1] {
        #expect(SavedStream(bytes: Array(saved.bytes.prefix(count))) == nil)
      }
      #expect(SavedStream(bytes: saved.bytes + [0]) == nil)
    }

    @Test func whatIsKeptInPartIsClosed() throws {
      let before = Descriptors.count
      try onLoop {
        let whole = KeptStreams(epoch: 5, openedCount: 3, streams: [])
        #expect(KeptStreams(taking: whole.descriptors()).epoch == 5)
        #expect(KeptStreams(taking: whole.descriptors()).openedCount == 3)
        // A socket without its file, and a file that is not one.
        let sockets = (open("/dev/null", O_RDWR), open("/dev/null", O_RDWR))
        let kept = KeptStreams(
          taking: [
            StoredDescriptor(name: "socket-0", descriptor: sockets.0),
            StoredDescriptor(name: "stream-1", descriptor: sockets.1),
          ] + whole.descriptors()
        )
        #expect(kept.streams.isEmpty)
      }
      #expect(Descriptors.count <= before)
    }
  }
}

/// A stream between two daemons, one of which will be restarted.
private struct Scene {
  let near: StreamEnd
  let far: StreamEnd
  /// The daemon that is restarted and its end of the stream; then the other end and daemon.
  let restarted: StreamEnd
  let daemon: DaemonFixture
  let otherEnd: StreamEnd
  let other: DaemonFixture
  let restart: () throws -> DaemonFixture
}

private func withRestart(_ restartsOrigin: Bool, _ body: (Scene) throws -> Void) throws {
  try withDaemons("alpha") { machines, network in
    let (a, store) = (machines[0], try FakeStore.make())
    let b = try DaemonFixture("beta", network: network, store: store)
    defer { b.removeDirectory() }
    try makeTeam([a, b])
    try a.waitForSessions(1)
    var next: DaemonFixture?
    defer { try? (next ?? b).stop() }
    // The daemon with the store is either the origin or the receiver.
    let (origin, receiver) = restartsOrigin ? (b, a) : (a, b)
    try withContinuation(origin, receiver) { note in
      let (near, far) = try openStream(note, origin, receiver)
      try body(
        Scene(
          near: near,
          far: far,
          restarted: restartsOrigin ? far : near,
          daemon: b,
          otherEnd: restartsOrigin ? near : far,
          other: a
        ) {
          let stopping = onThread {
            try b.stop()
            return true
          }
          try waitUntil("It stops") { try onLoop { b.daemon.isStopping } }
          // This is the second signal, after which the daemon no longer waits for streams.
          try onLoop { b.daemon.stop {} }
          _ = try stopping.wait()
          let fixture = try DaemonFixture("beta", network: network, directory: b.directory, store: store)
          next = fixture
          return fixture
        }
      )
    }
  }
}
