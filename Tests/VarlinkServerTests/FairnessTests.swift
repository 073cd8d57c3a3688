import Activity
import EventLoop
import Foundation
import Glibc
import Testing
import Varlink

@testable import VarlinkServer

/// Nobody's calls keep those of others waiting for long.
@Suite struct FairnessTests {
  private func call(_ text: String) -> [UInt8] {
    Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#.utf8) + [0]
  }

  private func limits(calls: TokenBucket.Rate, turn: Double) -> ServerLimits {
    ServerLimits(
      messageLength: 64 * 1024,
      messageDepth: 16,
      connections: TestService.limits.connections,
      calls: calls,
      callTurn: turn,
      sendQueueLength: 1024 * 1024
    )
  }

  @Test func connectionsTakeTurns() async throws {
    let limits = limits(calls: TokenBucket.Rate(perSecond: 1e6, burst: 1e6), turn: 4)
    try await withService(limits) { service, path in
      let (greedy, modest) = (try TestClient(path), try TestClient(path))
      for client in [greedy, modest] {
        await client.send(call("hello"))
        _ = await client.receive()
      }
      // Both have sent before the server looks.
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

  @Test func manyConnectionsOfOneUserKeepNoOtherWaiting() async throws {
    let limits = limits(calls: TokenBucket.Rate(perSecond: 1e6, burst: 1e6), turn: 4)
    try await withService(limits) { service, _ in
      let pairs = try (0...20).map { _ in try pair() }
      let clients = pairs.map { TestClient(owning: $0.client) }
      for client in clients.dropLast() { await client.send((0..<20).flatMap { _ in call("greedy") }) }
      await clients[20].send(call("modest"))
      try await onLoop { [servers = pairs.map(\.server)] in
        for (number, server) in servers.enumerated() {
          service.server.serve(owning: server, user: number < 20 ? 1000 : 1001)
        }
      }
      for client in clients { _ = await client.receive() }
      let place = try #require(await service.echoed.firstIndex(of: "modest"))
      #expect(place <= 20 * 4, "It came after \(place) of 400 calls of the other")
      try await eventually("all are answered") { service.echoed.count == 401 }
    }
  }

  @Test func whatACallAndItsFirstReplyWeighIsCharged() async throws {
    try await withService(limits(calls: TokenBucket.Rate(perSecond: 1e-6, burst: 1000), turn: 4)) { service, _ in
      let pair = try pair()
      let client = TestClient(owning: pair.client)
      try await onLoop { [server = pair.server] in service.server.serve(owning: server, user: 1000) }
      await client.send(call(String(repeating: "x", count: 10 * 1024)))
      _ = await client.receive()
      #expect(await service.spent(by: 1000) == 21, "The call, 10 KiB there, 10 KiB back, and a little")
      await client.send(Array(#"{"method":"org.example.test.Store"}"#.utf8) + [0])
      _ = await client.receive()
      #expect(await service.spent(by: 1000) == 21 + 1 + 20)
    }
  }

  @Test func whoHasCalledNothingForAWhileIsForgotten() async throws {
    try await withService(limits(calls: TokenBucket.Rate(perSecond: 1e9, burst: 10), turn: 4)) { service, _ in
      try await onLoop {
        for user in 1...100 as ClosedRange<uid_t> { _ = service.server.charge(1, to: user) }
        let after = Loop.now + .microseconds(1)
        while Loop.now < after {}
        _ = service.server.charge(1, to: 1000)
        #expect(Set(service.server.callsOfUser.keys) == [1000])
      }
    }
  }

  private func pair() throws -> (server: Int32, client: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
    return (ends[0], ends[1])
  }

  @Test func theCallsOfOneUserAreLimited() async throws {
    // No more than the first ten within the test.
    let limits = limits(calls: TokenBucket.Rate(perSecond: 1e-6, burst: 10), turn: 4)
    try await withService(limits) { service, path in
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
      try await eventually("ten calls, each of which costs a little more than 1") { service.echoed.count >= 9 }
      if getuid() == 0 {
        let client = try TestClient(path)
        for number in 0..<20 {
          await client.send(call("root"))
          #expect(await client.receive() != nil, "\(number)")
        }
      }
      #expect(await service.echoed.count { $0 == "x" } <= 10)
    }
  }
}

@Loop private func onLoop(_ body: @Loop () throws -> Void) throws { try body() }

extension TestService {
  /// What the calls of a user have cost, in whole numbers; of 1000.
  fileprivate func spent(by user: uid_t) -> Int {
    let now = Loop.now
    let left = (0...1000).last { server.callsOfUser[user]?.ready(for: Double($0), at: now) == now }
    return left.map { 999 - $0 } ?? 0
  }
}
