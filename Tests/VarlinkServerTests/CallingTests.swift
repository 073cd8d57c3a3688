// SPDX-License-Identifier: Apache-2.0

import EventLoop
import JSONCoding
import TestSupport
import Testing
import Varlink
import VarlinkServer

/// Calls, replies and their order.
@Suite(.isolated) struct CallingTests {
  private func echo(_ text: String, _ flag: String = "") -> String {
    #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}\#(flag)}"#
  }

  private func answer(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}"# }

  @Test func pipelinedCallsAreAnsweredInOrder() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      await client.send((0..<500).flatMap { Array(echo("\($0)").utf8) + [0] })
      #expect(await client.receive(500) == (0..<500).map { answer("\($0)") })
    }
  }

  @Test func aCallWaitsForTheOneBefore() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#, echo("after"))
      try await eventually("the call") { service.later.count == 1 }
      #expect(await service.echoed == [])
      await service.answerLater("first")
      #expect(await client.receive(2) == [answer("first"), answer("after")])
    }
  }

  /// The next call must not start while the previous call's handler is still at work.
  @Test func theNextCallDoesNotBeginWithinAReply() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#, echo("after"))
      try await eventually("the call") { service.later.count == 1 }
      #expect(await service.echoedWithinAReply() == [])
      #expect(await client.receive(2) == [answer("first"), answer("after")])
    }
  }

  @Test func aCallByteByByteIsAnswered() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      for byte in Array(echo("slow").utf8) + [0] { await client.send([byte]) }
      #expect(await client.receive() == answer("slow"))
    }
  }

  @Test func afterAHalfCloseAllCallsAreAnsweredAndThenTheConnectionIsClosed() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      await client.send((0..<50).flatMap { Array(echo("\($0)").utf8) + [0] })
      client.shutDownWriting()
      #expect(await client.receiveToEnd() == (0..<50).map { answer("\($0)") })
    }
  }

  @Test func aHalfCloseWaitsForALateReply() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#, echo("after"))
      client.shutDownWriting()
      try await eventually("the call") { service.later.count == 1 }
      await service.answerLater("first")
      #expect(await client.receiveToEnd() == [answer("first"), answer("after")])
      #expect(await service.closed == 0)
    }
  }

  @Test func onewayIsNeverAnswered() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(
        echo("silent", #","oneway":true"#),
        #"{"method":"org.example.test.Later","oneway":true}"#,
        #"{"method":"org.example.test.Watch","oneway":true}"#,
        #"{"method":"org.example.test.Echo","oneway":true}"#,
        #"{"method":"org.example.none.Foo","oneway":true}"#,
        #"{"method":"org.example.test.Forgotten","oneway":true}"#,
        echo("loud")
      )
      try await eventually("the call") { service.later.count == 1 }
      await service.answerLater("nobody hears it")
      #expect(await client.receive() == answer("loud"))
      #expect(await service.echoed == ["silent", "loud"])
      #expect(await service.watchers.isEmpty)
    }
  }

  @Test func onewayIsHeardFromAClientThatLeavesAtOnce() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(
        echo("1", #","oneway":true"#),
        #"{"method":"org.example.test.Later","oneway":true}"#,
        echo("2", #","oneway":true"#)
      )
      client.close()
      try await eventually("the call") { service.later.count == 1 }
      await service.answerLater("nobody hears it")
      try await eventually("the last call") { service.echoed == ["1", "2"] }
      try await eventually("the end") { service.server.connectionCount == 0 }
      #expect(await service.closed == 0)
    }
  }

  /// epoll reports a client's end for as long as there is something to read, so each read is followed by another.
  @Test func onewayIsHeardFromAClientThatLeavesMoreThanIsReadAhead() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later","oneway":true}"#)
      let texts = (0..<15).map { String(repeating: "\($0 % 10)", count: 10_000) }
      for text in texts { #expect(await client.send(echo(text, #","oneway":true"#))) }
      client.close()
      try await eventually("the call") { service.later.count == 1 && service.later[0].hasClientLeft }
      await service.answerLater("nobody hears it")
      try await eventually("the end") { service.server.connectionCount == 0 }
      #expect(await service.echoed == texts)
    }
  }

  @Test func aFlagThatTheMethodDoesNotKnowMakesNoDifference() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      await client.send(echo("1", #","more":true"#), echo("2", #","upgrade":true"#), echo("3"))
      #expect(await client.receive(3) == ["1", "2", "3"].map(answer))
    }
  }

  @Test func errorsAreThoseOfTheServiceInterface() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      let cases = [
        (#"{"method":"org.example.none.Foo"}"#, #"MethodNotFound","parameters":{"method":"org.example.none.Foo"}}"#),
        (#"{"method":"org.example.test.Foo"}"#, #"MethodNotFound","parameters":{"method":"org.example.test.Foo"}}"#),
        (#"{"method":"Foo"}"#, #"MethodNotFound","parameters":{"method":"Foo"}}"#),
        (#"{"method":"org.example.test.Echo"}"#, #"InvalidParameter","parameters":{"parameter":"text"}}"#),
        (
          #"{"method":"org.example.test.Echo","parameters":{"text":"a","zzz":1}}"#,
          #"InvalidParameter","parameters":{"parameter":"zzz"}}"#
        ),
        (#"{"method":"org.example.test.Watch"}"#, #"ExpectedMore","parameters":{}}"#),
        (#"{"method":"org.example.test.Watch","upgrade":true}"#, #"ExpectedMore","parameters":{}}"#),
        (
          #"{"method":"org.example.test.Raw","parameters":{"text":""},"more":true}"#,
          #"ExpectedUpgrade","parameters":{}}"#
        ),
      ]
      for (call, error) in cases {
        await client.send(call)
        #expect(await client.receive() == #"{"error":"org.varlink.service."# + error)
      }
    }
  }

  @Test func theServiceDescribesItself() async throws {
    try await withService { _, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      let product = #""product":"test","url":"https://example.org","vendor":"Baton","version":"1""#
      let interfaces = #""interfaces":["org.example.test","org.varlink.service"]"#
      #expect(await client.receive() == "{\"parameters\":{\(interfaces),\(product)}}")
      for interface in [InterfaceDescription.service, .test] {
        await client.send(
          #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(interface.name)"}}"#
        )
        #expect(await client.receive() == Reply(["description": .string(interface.text)]).text)
      }
      await client.send(#"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#)
      #expect(await client.receive() == VarlinkError.interfaceNotFound("a.b").reply.text)
    }
  }

  #if DEBUG
  @Test func aCallThatItsHandlerForgetsTraps() async {
    await #expect(processExitsWith: .failure) {
      try await withService { _, path in
        let client = try TestClient(path)
        await client.send(#"{"method":"org.example.test.Forgotten"}"#)
        _ = await client.receive()
      }
    }
  }
  #endif
}

extension Reply {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TestService {
  func answerLater(_ text: String) {
    guard !later.isEmpty else { return }
    later.removeFirst().reply(Text(text))
  }

  /// Returns what was echoed while a reply was sent.
  func echoedWithinAReply() -> [String] {
    answerLater("first")
    return echoed
  }
}
