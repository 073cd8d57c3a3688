// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import TestSupport
import Testing
import Varlink
import VarlinkClient
import VarlinkServer

/// A standing call to a daemon that answers as the test wants.
struct StandingCallTests {
  /// What the owner of a call and its daemon saw.
  @Loop
  private final class Scene {
    let path: String
    var daemon: FakeDaemon?
    var calls: [Exchange<ListOffers>] = []
    var types: [String?] = []
    var isRefusing = false
    var events: [String] = []
    var call: StandingCall<ListOffers>?

    init() throws {
      let daemon = try FakeDaemon()
      path = daemon.path
      self.daemon = daemon
      answer(daemon)
      let parameters = ListOffers.Parameters(activityType: "a")
      call = StandingCall(ListOffers.self, parameters, path: path) { [weak self] event in
        switch event {
        case .replied(let reply): self?.events.append("\(reply.offers.count) offers")
        case .lost: self?.events.append("lost")
        case .failed(.failed(let failure)): self?.events.append("failed: \(failure.reason)")
        case .failed(let error): self?.events.append("failed: \(error)")
        }
      }
    }

    private func answer(_ daemon: FakeDaemon) {
      daemon.on(ListOffers.self) { [weak self] parameters, exchange in
        guard let self, !self.isRefusing else {
          return exchange.fail(ControlFailure.name, ControlFailure(.limitReached).members)
        }
        self.types.append(parameters.activityType)
        self.calls.append(exchange)
        exchange.stayOpen()
        exchange.replyContinuing(ListOffers.Reply(offers: []))
      }
    }

    func stop() {
      call?.cancel()
      calls = []
      daemon?.close()
    }
  }

  private func expect(_ events: String..., from scene: Scene) throws {
    try waitUntil("\(events)") { try onLoop { scene.events.count >= events.count } }
    #expect(try onLoop { scene.events } == events)
  }

  @Test func itIsMadeAgainWhenItEnds() throws {
    let scene = try onLoop { try Scene() }
    try onLoop { scene.call?.begin() }
    try expect("0 offers", from: scene)
    try onLoop { scene.calls[0].fail(ControlFailure.name, ControlFailure(.shuttingDown).members) }
    try expect("0 offers", "lost", "failed: shuttingDown", "0 offers", from: scene)
    try onLoop { scene.stop() }
  }

  @Test func itIsReplacedWithoutAGap() throws {
    let scene = try onLoop { try Scene() }
    try onLoop { scene.call?.begin() }
    try expect("0 offers", from: scene)
    try onLoop { scene.call?.replace(ListOffers.Parameters(activityType: "b")) }
    try expect("0 offers", "0 offers", from: scene)
    try waitUntil("The first has ended") { try onLoop { scene.calls[0].isFinished } }
    #expect(try onLoop { scene.types } == ["a", "b"])
    #expect(try onLoop { scene.call?.isStanding == true && !scene.calls[1].isFinished })
    try onLoop { scene.stop() }
  }

  @Test func whatStandsStaysIfItCannotBeReplaced() throws {
    let scene = try onLoop { try Scene() }
    try onLoop { scene.call?.begin() }
    try expect("0 offers", from: scene)
    try onLoop {
      scene.isRefusing = true
      scene.call?.replace(ListOffers.Parameters(activityType: "b"))
    }
    try expect("0 offers", "failed: limitReached", from: scene)
    #expect(try onLoop { scene.call?.isStanding == true && scene.call?.nextAttempt != nil })
    try onLoop { scene.stop() }
  }

  @Test func nothingIsToldAfterItIsCancelled() throws {
    let scene = try onLoop { try Scene() }
    try onLoop { scene.call?.begin() }
    try expect("0 offers", from: scene)
    try onLoop { scene.call?.cancel() }
    try waitUntil("The daemon sees the end") { try onLoop { scene.calls[0].isFinished } }
    #expect(try onLoop { scene.events } == ["0 offers"])
    #expect(try onLoop { scene.call?.isStanding == false && scene.call?.nextAttempt == nil })
    try onLoop { scene.stop() }
  }

  @Test func itMayBeCancelledByItsHandler() throws {
    let path = "/nonexistent/baton.sock"
    let errors = try onLoop {
      let errors = Record<ControlError>()
      var call: StandingCall<ListOffers>?
      call = StandingCall(ListOffers.self, ListOffers.Parameters(), path: path) { event in
        if case .failed(let error) = event { errors.append(error) }
        call?.cancel()
      }
      call?.begin()
      #expect(call?.nextAttempt == nil)
      return errors
    }
    #expect(try onLoop { errors.values } == [.notRunning(paths: [path])])
  }
}
