// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import TestSupport
import Testing
import Varlink

@testable import VarlinkServer

/// What clients leave unread is limited for each user, however many connections it has.
@Suite(.isolated) struct UnreadTests {
  private static let limits = ServerLimits(
    messageLength: 64 * 1024,
    messageDepth: 16,
    connections: TestService.limits.connections,
    sendQueueLength: 1024 * 1024,
    userQueueLength: 2 * 1024 * 1024
  )

  /// Clients of a user that watch.
  private func watching(_ count: Int, of user: uid_t, _ service: TestService) async throws -> [TestClient] {
    var clients: [TestClient] = []
    for _ in 0..<count {
      let pair = try TestClient.pair()
      let (client, before) = (TestClient(owning: pair.client), await service.watchers.count)
      await service.serve(owning: pair.server, user: user)
      await client.send(#"{"method":"org.example.test.Watch","more":true}"#)
      _ = await client.receive()
      try await eventually("the watcher") { service.watchers.count == before + 1 }
      clients.append(client)
    }
    return clients
  }

  @Test func theUnreadOutputOfOneUserIsLimited() async throws {
    try await withService(Self.limits) { service, _ in
      let clients = try await [
        watching(1, of: 1001, service), watching(10, of: 1000, service), watching(10, of: 0, service),
      ]
      // Nobody reads.
      let text = String(repeating: "x", count: 900_000)
      for watcher in await service.watchers { await watcher.replyContinuing(Text(text)) }
      try await eventually("the end of some") { !service.drops.isEmpty }
      #expect(await service.drops.allSatisfy { $0 == .notReading })
      let open = await service.open
      let others = open[1...10].count { $0 }
      #expect(open[0], "It has little")
      #expect((2...4).contains(others), "\(others) of one that has too much")
      #expect(open[11...20].allSatisfy { $0 }, "Root's are not counted")
      #expect(clients.joined().count == 21)
    }
  }

  @Test func theKernelKeepsLittleOfUnreadReplies() async throws {
    try await withService(Self.limits) { service, path in
      let (watcher, usual) = (try TestClient(path), try TestClient.pair())
      await watcher.send(#"{"method":"org.example.test.Watch","more":true}"#)
      _ = await watcher.receive()
      let text = String(repeating: "x", count: 500_000)
      for watcher in await service.watchers { await watcher.replyContinuing(Text(text)) }
      #expect(unread(watcher.descriptor) < 32 * 1024)
      #expect(await watcher.receive()?.contains(text) == true)

      let ready = Glibc.send(usual.server, text, text.utf8.count, Int32(MSG_DONTWAIT))
      #expect(ready > 100_000, "Other sockets keep more")
      for descriptor in [usual.server, usual.client] { close(descriptor) }
    }
  }

  @Test func theUnfinishedCallsOfOneUserAreLimited() async throws {
    try await withService(Self.limits) { service, _ in
      let part = String(repeating: "x", count: 60_000)
      var clients: [TestClient] = []
      // 2 MiB are 34 of these.
      for number in 0..<40 {
        let pair = try TestClient.pair()
        await service.serve(owning: pair.server, user: number < 2 ? 1001 : 1000)
        let client = TestClient(owning: pair.client)
        _ = await client.send(Array((#"{"method":""# + part).utf8))
        clients.append(client)
      }
      try await eventually("the end of some") { !service.drops.isEmpty }
      #expect(await service.drops.allSatisfy { $0 == .notReading })
      #expect(clients.count == 40)
    }
  }
}

extension TestService {
  /// Whose connections are still there.
  fileprivate var open: [Bool] { watchers.map { !$0.isFinished } }

  fileprivate func serve(owning descriptor: Int32, user: uid_t) { server.serve(owning: descriptor, user: user) }
}
