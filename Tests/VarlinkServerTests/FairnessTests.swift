// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@testable import VarlinkServer

/// Nobody's calls keep those of others waiting for long.
@Suite(.isolated) struct FairnessTests {
  private func call(_ text: String) -> [UInt8] {
    Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#.utf8) + [0]
  }

  /// - Parameters:
  ///   - seconds: How much time a user has at first.
  ///   - perSecond: How much of it comes back each second; by default, hardly any during a test.
  private func limits(seconds: Double = 1e6, perSecond: Double = 1e-6, turn: Duration = .seconds(4)) -> ServerLimits {
    ServerLimits(
      messageLength: 64 * 1024,
      messageDepth: 16,
      connections: TestService.limits.connections,
      userTime: TokenBucket.Rate(perSecond: perSecond, burst: seconds),
      callTurn: turn,
      sendQueueLength: 1024 * 1024
    )
  }

  @Test func connectionsTakeTurns() async throws {
    try await withService(limits()) { service, path in
      await service.takeForEachEcho(.seconds(1))
      let (greedy, modest) = (try TestClient(path), try TestClient(path))
      for client in [greedy, modest] {
        await client.send(call("hello"))
        _ = await client.receive()
      }
      // Both have sent their calls before the server checks.
      try await onLoop { [greedy = greedy.descriptor, modest = modest.descriptor] in
        for (descriptor, bytes) in [
          (greedy, (0..<1000).flatMap { _ in call("greedy") }), (modest, call("modest")),
        ] {
          try #require(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }
      }
      for _ in 0..<1000 { _ = await greedy.receive() }
      _ = await modest.receive()
      let place = try #require(await service.echoed.firstIndex(of: "modest"))
      #expect(place <= 2 + 8, "It came after \(place - 2) calls of the other")
    }
  }

  @Test func usersTakeTurnsHoweverManyConnectionsTheyHave() {
    var turns = CallTurns<String>()
    for number in 0..<100 { turns.add("a\(number)", of: 1000) }
    #expect(turns.next() == "a0")
    turns.add("a0", of: 1000)
    turns.add("b", of: 1001)
    #expect([turns.next(), turns.next(), turns.next()] == ["a1", "b", "a2"])
    turns.add("b", of: 1001)
    #expect([turns.next(), turns.next()] == ["a3", "b"])
    #expect((4..<100).map { _ in turns.next() } == (4..<100).map { "a\($0)" }, "Its own in turns, too")
    #expect([turns.next(), turns.next()] == ["a0", nil])
  }

  /// Runs `body` with the clients of a greedy user, whose calls take long, and a client of another user. All of them
  /// have sent their calls before the server checks.
  private func withGreedyUser(
    _ limits: ServerLimits,
    connections: Int,
    calls: Int,
    _ body: (TestService, _ greedy: [TestClient], _ modest: TestClient) async throws -> Void
  ) async throws {
    try await withService(limits) { service, _ in
      await service.takeForEachEcho(.seconds(1))
      let pairs = try (0...connections).map { _ in try TestClient.pair() }
      let clients = pairs.map { TestClient(owning: $0.client) }
      for client in clients.dropLast() { await client.send((0..<calls).flatMap { _ in call("greedy") }) }
      await clients[connections].send(call("modest"))
      try await onLoop { [servers = pairs.map(\.server)] in
        for (number, server) in servers.enumerated() {
          service.server.serve(owning: server, user: number < connections ? 1000 : 1001)
        }
      }
      try await body(service, clients.dropLast(), clients[connections])
    }
  }

  @Test func manyConnectionsOfOneUserKeepNoOtherWaiting() async throws {
    try await withGreedyUser(limits(), connections: 20, calls: 20) { service, greedy, modest in
      for client in greedy + [modest] { _ = await client.receive() }
      let place = try #require(await service.echoed.firstIndex(of: "modest"))
      #expect(place <= 20 * 4, "It came after \(place) of 400 calls of the other")
      try await eventually("all are answered") { service.echoed.count == 401 }
    }
  }

  @Test func aUserHasItsTimeHoweverManyConnectionsAskForIt() async throws {
    try await withGreedyUser(limits(seconds: 10), connections: 120, calls: 20) { service, _, modest in
      for _ in 0..<5 {
        _ = await modest.receive()
        await modest.send(call("modest"))
      }
      _ = await modest.receive()
      try await eventually("it has had its time") { service.server.hasHadItsTime(1000) }
      // A turn that has started is finished.
      #expect(await service.echoed.count { $0 == "greedy" } <= 10 + 4)
      #expect(await service.echoed.count { $0 == "modest" } == 6)
    }
  }

  @Test func whoHasHadItsTimeGoesOnLater() async throws {
    let limits = limits(seconds: 0.001, perSecond: 1, turn: .milliseconds(1))
    try await withGreedyUser(limits, connections: 20, calls: 5) { service, greedy, _ in
      for client in greedy { for _ in 0..<5 { #expect(await client.receive() != nil) } }
      #expect(await service.echoed.count == 101)
    }
  }

  @Test func aCallDuringWhichTheMachineSleptCostsNoMoreThanThereIs() async throws {
    try await withGreedyUser(limits(seconds: 0.01, perSecond: 1), connections: 1, calls: 2) { service, greedy, _ in
      await service.takeForEachEcho(.seconds(3600))
      for _ in 0..<2 { #expect(await greedy[0].receive() != nil) }
    }
  }

  @Test func whoHasHadItsTimeIsNotRead() async throws {
    try await withService(limits(seconds: 0.5)) { service, _ in
      await service.takeForEachEcho(.seconds(1))
      let pair = try TestClient.pair()
      let client = TestClient(owning: pair.client)
      await client.send(call("last"))
      try await onLoop { [server = pair.server] in service.server.serve(owning: server, user: 1000) }
      _ = await client.receive()
      // The first bytes are read before it is known whose time they take.
      let half = [UInt8](repeating: UInt8(ascii: " "), count: 1000)
      await client.send(half)
      try await eventually("the first are read") { unread(pair.server) == 0 }
      await client.send(half)
      for _ in 0..<100 { try await onLoop {} }
      #expect(unread(pair.server) == 1000)
    }
  }

  @Test func whoHasCalledNothingForAWhileIsForgotten() async throws {
    try await withService(limits(seconds: 10, perSecond: 1e9)) { service, _ in
      try await onLoop {
        for user in 1...100 as ClosedRange<uid_t> { service.server.charge(.seconds(1), to: user) }
        let after = Loop.now + .microseconds(1)
        while Loop.now < after {}
        service.server.charge(.seconds(1), to: 1000)
        #expect(Set(service.server.timeOfUser.keys) == [1000])
      }
    }
  }

  @Test func theCallsOfOneUserAreLimited() async throws {
    // During the test, only the first ten calls and those of the turn are answered.
    try await withService(limits(seconds: 10)) { service, path in
      await service.takeForEachEcho(.seconds(1))
      let process = try Python(
        """
        import os, socket, sys, time
        if os.getuid() == 0: os.setgroups([]); os.setgid(54321); os.setuid(54321)
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        s.sendall(b'{"method":"org.example.test.Echo","parameters":{"text":"x"}}\\0' * 100)
        time.sleep(600)
        """,
        path
      )
      defer { process.kill() }
      try await eventually("ten calls") { service.echoed.count >= 10 }
      if getuid() == 0 {
        let client = try TestClient(path)
        for number in 0..<20 {
          await client.send(call("root"))
          #expect(await client.receive() != nil, "\(number)")
        }
      }
      #expect(await service.echoed.count { $0 == "x" } <= 10 + 4)
    }
  }
}

@Loop private func onLoop(_ body: @Loop () throws -> Void) throws { try body() }

extension TestService {
  fileprivate func takeForEachEcho(_ time: Duration) { echoTime = time }
}
