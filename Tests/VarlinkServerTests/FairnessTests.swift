import Activity
import EventLoop
import Foundation
import Glibc
import Testing
import Varlink
import VarlinkServer

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
