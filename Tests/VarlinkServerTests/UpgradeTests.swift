// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing
import VarlinkServer

/// Connections that are upgraded and no longer speak Varlink.
@Suite(.isolated) struct UpgradeTests {
  private let raw = #"{"method":"org.example.test.Raw","parameters":{"text":""},"upgrade":true}"#

  @Test func bytesAfterTheCallAreNotLost() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(Array(raw.utf8) + [0] + [1, 0, 2])
      #expect(await client.receive() == #"{"parameters":{}}"#)
      try await eventually("the upgrade") { service.upgraded.count == 1 }
      let (descriptor, rest) = await service.upgraded[0]
      defer { close(descriptor) }
      #expect(rest == [1, 0, 2])
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      let other = try TestClient.pair()
      #expect(Sockets.sendBuffer(of: descriptor) == Sockets.sendBuffer(of: other.client), "A stream may be fast")
      for end in [other.client, other.server] { close(end) }

      await client.send([3, 0, 4])
      var buffer = [UInt8](repeating: 0, count: 10)
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&entry, 1, 20_000) == 1)
      #expect(recv(descriptor, &buffer, 10, 0) == 3)
      #expect(buffer.prefix(3) == [3, 0, 4])
      #expect(Glibc.send(descriptor, [5, 0, 6] as [UInt8], 3, 0) == 3)
      #expect(await client.receiveBytes(3) == [5, 0, 6])

      #expect(await service.server.connectionCount == 0)
      #expect(await service.closed == 0)
    }
  }

  @Test func closingTheDescriptorEndsTheConnection() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(raw)
      #expect(await client.receive() == #"{"parameters":{}}"#)
      try await eventually("the upgrade") { service.upgraded.count == 1 }
      let upgraded = await service.upgraded
      close(upgraded[0].descriptor)
      #expect(await client.receiveToEnd() == [])
    }
  }

  @Test func aRefusedUpgradeLeavesAVarlinkConnection() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      await client.send(
        #"{"method":"org.example.test.Raw","parameters":{"text":"refuse"},"upgrade":true}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"still here"}}"#
      )
      #expect(
        await client.receive(2) == [
          #"{"error":"org.example.test.Refused","parameters":{"why":"asked to"}}"#,
          #"{"parameters":{"text":"still here"}}"#,
        ]
      )
    }
  }

  @Test func aClientThatLeavesBeforeTheUpgradeIsReported() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(raw)
      client.close()
      try await eventually("the end") { service.closed + service.upgraded.count == 1 }
      for upgraded in await service.upgraded { close(upgraded.descriptor) }
      #expect(await service.server.connectionCount == 0)
    }
  }
}
