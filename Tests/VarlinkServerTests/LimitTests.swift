// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import TestSupport
import Testing
import Varlink
import VarlinkServer

/// Each limit, exactly reached and exceeded, and messages that nobody may send.
@Suite(.isolated) struct LimitTests {
  private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"hello"}}"#
  private let hello = #"{"parameters":{"text":"hello"}}"#

  private func limits(connections: Int = 1024, perUser: Int = 512) -> ServerLimits {
    ServerLimits(
      messageLength: 64 * 1024,
      messageDepth: 16,
      connections: Share(total: connections, perUser: perUser, forOthers: 0, forRoot: 0),
      sendQueueLength: 1024 * 1024
    )
  }

  /// Returns an echo call of exactly this many bytes.
  private func call(length: Int) -> [UInt8] {
    let frame = #"{"method":"org.example.test.Echo","parameters":{"text":""}}"#.utf8.count
    let text = String(repeating: "x", count: length - frame)
    return Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#.utf8) + [0]
  }

  @Test func aMessageAtTheLimitIsTakenAndALongerOneClosesTheConnection() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(call(length: 64 * 1024))
      let reply = await client.receive() ?? ""
      #expect(reply.utf8.count == call(length: 64 * 1024).count - #""method":"org.example.test.Echo","#.utf8.count - 1)
      await client.send(call(length: 64 * 1024 + 1))
      #expect(await client.receiveToEnd() == [])
      #expect(await service.drops == [.messageTooLong])
    }
  }

  @Test(arguments: [1 << 20, 20_000_000])
  func aLongMessageIsNotTaken(length: Int) async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      #expect(await !client.send(Array(repeating: UInt8(ascii: " "), count: length)))
      #expect(await client.receiveToEnd() == [])
      try await eventually("the drop") { service.drops == [.messageTooLong] }
      #expect(await service.server.connectionCount == 0)
    }
  }

  /// Each character stands for the byte of its number, so "ÿ" is no UTF-8.
  @Test(
    arguments: [
      ("{nope}", 1, .malformedMessage(.notJSON)),
      ("", 1, .malformedMessage(.notJSON)),
      (#"{"method":"org.example.test.ÿ"}"#, 1, .malformedMessage(.notJSON)),
      ("[", 60_000, .malformedMessage(.notJSON)),
      (#"{"a":"#, 12_000, .malformedMessage(.notJSON)),
      ("[1]", 1, .malformedMessage(.notAnObject)),
      (#"{"method":"a.b.C","x":1}"#, 1, .malformedMessage(.unknownMember("x"))),
      (#"{"method":"a.b.C","more":true,"oneway":true}"#, 1, .malformedMessage(.member("more"))),
    ] as [(String, Int, DropReason)]
  )
  func aMalformedMessageClosesTheConnectionAfterTheRepliesBeforeIt(
    piece: String,
    count: Int,
    reason: DropReason
  ) async throws {
    let message = String(repeating: piece, count: count).unicodeScalars.map { UInt8($0.value) }
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(Array(echo.utf8) + [0] + message + [0] + Array(echo.utf8) + [0])
      #expect(await client.receiveToEnd() == [hello])
      #expect(await service.drops == [reason])
    }
  }

  @Test func anUnendedMessageIsNoCall() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(Array(echo.utf8))
      client.shutDownWriting()
      #expect(await client.receiveToEnd() == [])
      #expect(await service.echoed == [])
    }
  }

  @Test func connectionsOfAllUsersAreLimited() async throws {
    try await withService(limits(connections: 5, perUser: 5)) { service, path in
      var clients = try (0..<5).map { _ in try TestClient(path) }
      for client in clients {
        await client.send(echo)
        #expect(await client.receive() == hello)
      }
      let refused = try TestClient(path)
      #expect(await refused.receiveToEnd() == [])
      #expect(await service.drops == [getuid() == 0 ? .tooManyConnections : .tooManyConnectionsOfUser])
      clients.removeLast()
      try await eventually("the end of one") { service.server.connectionCount == 4 }
      let last = try TestClient(path)
      await last.send(echo)
      #expect(await last.receive() == hello)
      #expect(clients.count == 4)
    }
  }

  /// The clients belong to another user than root, because root is exempt.
  @Test func connectionsOfOneUserAreLimited() async throws {
    try await withService(limits(perUser: 4)) { service, path in
      let process = try Python(
        """
        import os, socket, sys, time
        if os.getuid() == 0: os.setgroups([]); os.setgid(54321); os.setuid(54321)
        clients = []
        for i in range(6):
          s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); clients.append(s)
        sys.exit(0 if [s.recv(1) for s in clients[4:]] == [b'', b''] and time.sleep(600) is None else 1)
        """,
        path
      )
      defer { process.kill() }
      try await eventually("two refusals") { service.drops.count == 2 }
      #expect(await service.drops == [.tooManyConnectionsOfUser, .tooManyConnectionsOfUser])
      #expect(await service.server.connectionCount == 4)
      if getuid() == 0 {
        let clients = try (0..<6).map { _ in try TestClient(path) }
        for client in clients {
          await client.send(echo)
          #expect(await client.receive() == hello)
        }
        #expect(await service.server.connectionCount == 4 + clients.count)
      }
      process.kill()
      try await eventually("the end of the user's") { service.server.connectionCount == 0 }
    }
  }

  @Test func descriptorsAreAllGivenBack() async throws {
    try await withService { service, path in
      let message = #"{"method":"org.example.test.Echo","parameters":{"text":"x"}}"#
      let warm = try TestClient(path)
      await warm.send(message)
      _ = await warm.receive()
      let baseline = try socketCount()
      for number in 0..<1000 {
        let client = try TestClient(path)
        switch number % 4 {
        case 0: break
        case 1:
          await client.send(message)
          guard await client.receive() != nil else { throw DeadlinePassed(waitedFor: "a reply") }
        case 2: await client.send("{nope}")
        default: await client.send(#"{"method":"org.example.test.Watch","more":true}"#)
        }
      }
      try await eventually("the connections' end") { service.server.connectionCount == 1 }
      try await eventually("the descriptors' end") { (try? socketCount()) == baseline }
    }
  }

  /// Descriptors that a client sends along are not accepted.
  @Test func passedDescriptorsAreNotKept() async throws {
    try await withService { service, path in
      let process = try Python(
        """
        import array, socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        call = b'{"method":"org.example.test.Echo","parameters":{"text":"x"}}\\0'
        for i in range(100):
          s.sendmsg([call], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 253))])
          assert s.recv(1000)
        s.send(b'{"method":"org.example.test.Later"}\\0')
        s.recv(1)
        """,
        path
      )
      try await eventually("the calls") { service.later.count == 1 }
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      guard descriptors < 100 else { throw DeadlinePassed(waitedFor: "descriptors, \(descriptors) of them") }
      await service.answerLater("")
      try await eventually("the client's success") { process.exitStatus == 0 }
    }
  }
}

/// Returns how many sockets this process has. Other descriptors do not count, because libraries open and close them.
private func socketCount() throws -> Int {
  let directory = "/proc/self/fd"
  return try FileManager.default.contentsOfDirectory(atPath: directory).count { name in
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")
    return target?.hasPrefix("socket:") ?? false
  }
}
