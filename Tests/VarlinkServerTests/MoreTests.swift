// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport
import Testing
import Varlink
import VarlinkServer

/// Calls with `more`, and clients that go away.
@Suite(.isolated) struct MoreTests {
  private let watch = #"{"method":"org.example.test.Watch","more":true}"#
  private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"hello"}}"#

  private func change(_ text: String) -> String { #"{"continues":true,"parameters":{"text":"\#(text)"}}"# }

  private func watching(_ service: TestService, _ client: TestClient) async throws -> Exchange<Watch> {
    let before = await service.watchers.count
    await client.send(watch)
    #expect(await client.receive() == change("now"))
    try await eventually("the watcher") { service.watchers.count == before + 1 }
    return await service.watchers[before]
  }

  @Test func repliesContinueUntilTheLast() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      await client.send(echo)
      await watcher.replyContinuing(Text("1"))
      await watcher.replyContinuing(Text("2"))
      #expect(await client.receive(2) == [change("1"), change("2")])
      #expect(await service.echoed == [])
      await watcher.reply(Text("3"))
      #expect(await client.receive(2) == [#"{"parameters":{"text":"3"}}"#, #"{"parameters":{"text":"hello"}}"#])
      #expect(await watcher.isFinished)
      await watcher.replyContinuing(Text("late"))
      await watcher.reply(Text("late"))
      await watcher.fail(.permissionDenied)
      client.shutDownWriting()
      #expect(await client.receiveToEnd() == [])
      #expect(await service.closed == 0)
    }
  }

  @Test func withoutMoreTheFirstReplyIsTheLast() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#, echo)
      try await eventually("the call") { service.later.count == 1 }
      await service.later[0].replyContinuing(Text("only"))
      #expect(await client.receive(2) == [#"{"parameters":{"text":"only"}}"#, #"{"parameters":{"text":"hello"}}"#])
    }
  }

  @Test func aStreamEndsWithItsClient() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      client.close()
      try await eventually("the end") { service.closed == 1 }
      #expect(await watcher.isFinished)
      await watcher.replyContinuing(Text("late"))
      #expect(await service.server.connectionCount == 0)
      #expect(await service.drops == [])
    }
  }

  @Test func aStreamEndsWithAClientThatIsKilled() async throws {
    try await withService { service, path in
      let process = try Python(
        """
        import socket, sys, time
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b'\(watch)\\0'); time.sleep(600)
        """,
        path
      )
      try await eventually("the watcher") { service.watchers.count == 1 }
      await service.watchers[0].replyContinuing(Text("unread"))
      process.kill()
      try await eventually("the end") { service.closed == 1 && service.server.connectionCount == 0 }
    }
  }

  @Test func aStreamGoesOnAfterAHalfClose() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      client.shutDownWriting()
      for text in ["still", "and still"] {
        await watcher.replyContinuing(Text(text))
        #expect(await client.receive() == change(text))
      }
      #expect(await service.closed == 0)
      client.close()
      try await eventually("the end") { service.closed == 1 && service.server.connectionCount == 0 }
    }
  }

  @Test func theEndIsNoticedBehindMoreCallsThanAreRead() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      _ = try await watching(service, client)
      // This is more than the server reads ahead, but less than that plus what the socket takes.
      await client.send(Array(repeating: UInt8(ascii: " "), count: 150_000))
      client.close()
      try await eventually("the end") { service.closed == 1 && service.server.connectionCount == 0 }
    }
  }

  @Test func aHandlerSetTooLateIsCalledOnceAllTheSame() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      client.close()
      try await eventually("the end") { service.closed == 1 }
      #expect(await service.closedAfterWatchingEnd(of: watcher) == 1)
      try await eventually("the handler") { service.closed == 11 }
    }
  }

  @Test func aClientThatDoesNotReadIsDroppedAndOthersAreServed() async throws {
    try await withService { service, path in
      let idle = try TestClient(path)
      let other = try TestClient(path)
      let watcher = try await watching(service, idle)
      let text = String(repeating: "x", count: 10_000)
      var sent = 0
      while await !watcher.isFinished, sent < 1000 {
        await watcher.replyContinuing(Text(text))
        sent += 1
        if sent.isMultiple(of: 10) {
          await other.send(echo)
          #expect(await other.receive() == #"{"parameters":{"text":"hello"}}"#)
        }
      }
      // The queue takes 1 MiB, and the socket as much as the kernel allows.
      #expect(sent > 100)
      #expect(sent < 200)
      try await eventually("the end") { service.closed == 1 && service.server.connectionCount == 1 }
      #expect(await service.drops == [.notReading])
      await other.send(echo)
      #expect(await other.receive() == #"{"parameters":{"text":"hello"}}"#)
    }
  }

  @Test func aClientThatReadsSlowlyGetsEverything() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      let texts = (0..<90).map { String(repeating: "\($0 % 10)", count: 10_000) }
      for text in texts { await watcher.replyContinuing(Text(text)) }
      await watcher.reply(Text("end"))
      #expect(await client.receive(90) == texts.map(change))
      #expect(await client.receive() == #"{"parameters":{"text":"end"}}"#)
    }
  }

  @Test func aHandlerIsToldOnceThatEverythingWasRead() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let watcher = try await watching(service, client)
      await service.noteWhenRead(by: watcher)
      #expect(await service.echoed == ["read"], "It is not behind")
      let text = String(repeating: "x", count: 900_000)
      await watcher.replyContinuing(Text(text))
      #expect(await watcher.isBehind)
      await service.noteWhenRead(by: watcher)
      #expect(await service.echoed == ["read"])
      #expect(await client.receive() == change(text))
      try await eventually("the handler") { service.echoed == ["read", "read"] }
      await watcher.replyContinuing(Text(text))
      await service.noteWhenRead(by: watcher)
      client.close()
      try await eventually("the end") { service.closed == 1 }
      #expect(await service.echoed == ["read", "read"])
    }
  }

  /// If nobody reads a client's replies, its next calls are not started. They wait as bytes, up to a limit.
  @Test func callsWaitForRepliesToBeRead() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      let text = String(repeating: "x", count: 60_000)
      let call = Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#.utf8) + [0]
      let calls = 20
      var rest = (0..<calls).flatMap { _ in call }[...]
      var attemptsInVain = 0
      while attemptsInVain < 20 {
        let sent = client.sendWhatFits(rest)
        rest = rest.dropFirst(sent)
        attemptsInVain = sent > 0 ? 0 : attemptsInVain + 1
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(await service.echoed.count < calls)
      for _ in 0..<calls {
        rest = rest.dropFirst(client.sendWhatFits(rest))
        #expect(await client.receive() == "{\"parameters\":{\"text\":\"\(text)\"}}")
      }
    }
  }
}

extension TestService {
  fileprivate func noteWhenRead(by watcher: Exchange<Watch>) {
    watcher.whenRead { [weak self] in self?.echoed.append("read") }
  }

  func closedAfterWatchingEnd(of watcher: Exchange<Watch>) -> Int {
    watcher.onClosed = { [weak self] in self?.closed += 10 }
    return closed
  }
}
