// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport
import Testing
import VarlinkServer

/// Stopping a server.
@Suite(.isolated) struct StopTests {
  @Test func whatIsWrittenArrivesAndThenConnectionsEnd() async throws {
    try await withService { service, path in
      let watching = try TestClient(path)
      let idle = try TestClient(path)
      await watching.send(#"{"method":"org.example.test.Watch","more":true}"#)
      try await eventually("both") { service.watchers.count == 1 && service.server.connectionCount == 2 }
      await service.sayGoodbyeAndStop(length: 600_000, by: .now + .seconds(20))
      let messages = await watching.receiveToEnd()
      #expect(messages.count == 2)
      #expect(messages.last?.utf8.count == 600_000 + 43)
      #expect(await idle.receiveToEnd() == [])
      try await eventually("the stop") { service.isStopped }
      #expect(await service.closed == 1)
      #expect(throws: SystemError.self) { try TestClient(path) }
    }
  }

  @Test func aClientThatDoesNotReadDoesNotDelayTheStopBeyondItsDeadline() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Watch","more":true}"#)
      try await eventually("the watcher") { service.watchers.count == 1 }
      let begin = ContinuousClock.now
      await service.sayGoodbyeAndStop(length: 600_000, by: .now + .milliseconds(200))
      try await eventually("the stop") { service.isStopped }
      #expect(ContinuousClock.now - begin >= .milliseconds(200))
      #expect(await service.server.connectionCount == 0)
    }
  }

  @Test func aClientThatHasJustConnectedIsAnswered() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      try await eventually("the connection") { service.server.connectionCount == 1 }
      await service.sayGoodbyeAndStop(length: 0, by: .now + .seconds(20))
      await client.send(
        #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"b"}}"#
      )
      #expect(await client.receiveToEnd().count == 1)
      try await eventually("the stop") { service.isStopped }
      #expect(await service.echoed == ["a"])
    }
  }

  @Test func aCallThatIsBeingHandledIsAnswered() async throws {
    try await withService { service, path in
      await service.handlesToTheEnd()
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#, #"{"method":"org.example.test.Later"}"#)
      try await eventually("the call") { service.later.count == 1 }
      await service.sayGoodbyeAndStop(length: 0, by: .now + .seconds(600))
      await service.answerLater("done")
      #expect(await client.receiveToEnd() == [#"{"parameters":{"text":"done"}}"#])
      try await eventually("the stop") { service.isStopped }
      #expect(await service.later.isEmpty, "The second call is not begun")
    }
  }

  @Test func aHandlerThatDoesNotAnswerDoesNotDelayTheStopBeyondItsDeadline() async throws {
    try await withService { service, path in
      await service.handlesToTheEnd()
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#)
      try await eventually("the call") { service.later.count == 1 }
      let begin = ContinuousClock.now
      await service.sayGoodbyeAndStop(length: 0, by: .now + .milliseconds(200))
      try await eventually("the stop") { service.isStopped }
      #expect(ContinuousClock.now - begin >= .milliseconds(200))
      #expect(await client.receiveToEnd() == [])
    }
  }

  @Test func aCallWhoseHandlerIsToldOfTheEndIsCutOff() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      await client.send(#"{"method":"org.example.test.Later"}"#)
      try await eventually("the call") { service.later.count == 1 }
      await service.sayGoodbyeAndStop(length: 0, by: .now + .seconds(600))
      #expect(await client.receiveToEnd() == [])
      try await eventually("the stop") { service.isStopped }
      #expect(await service.closed == 1)
    }
  }

  @Test func aServerThatDoesNotListenAnyMoreAnswersWhoIsThere() async throws {
    try await withService { service, path in
      let client = try TestClient(path)
      try await eventually("the connection") { service.server.connectionCount == 1 }
      await service.server.stopListening()
      #expect(throws: SystemError.self) { try TestClient(path) }
      await client.send(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"#)
      try await eventually("the call") { service.echoed == ["a"] }
    }
  }

  @Test func aServerWithoutClientsStopsAtOnce() async throws {
    try await withService { service, _ in
      await service.sayGoodbyeAndStop(length: 0, by: .now + .seconds(600))
      try await eventually("the stop") { service.isStopped }
    }
  }
}

extension TestService {
  func handlesToTheEnd() { mayBeCutOff = false }

  func sayGoodbyeAndStop(length: Int, by deadline: ContinuousClock.Instant) {
    watchers.first?.replyContinuing(Text(String(repeating: "x", count: length)))
    server.close(by: deadline) { [weak self] in self?.isStopped = true }
  }
}
