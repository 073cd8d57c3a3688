// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import Glibc
import JSONCoding
import Systemd
import TestSupport
import Testing
import Varlink
import VarlinkClient
import VarlinkServer

@testable import BatonAgent

extension AgentTests {
  struct LauncherRegistrationTests {
    /// The daemon, as launchers see it.
    @Loop
    private final class Daemon {
      struct Registration {
        let types: [String]
        let isIncomplete: Bool
        let exchange: Exchange<RegisterLauncher>
        /// How many registrations had ended when this one arrived.
        let endedBefore: Int
      }

      private let server: FakeDaemon
      var isRefusing = false
      private(set) var registrations: [Registration] = []
      private(set) var refusals = 0
      private(set) var ended = 0
      private(set) var reports: [String] = []

      init(_ path: String) throws {
        server = try FakeDaemon(path: path)
        server.on(RegisterLauncher.self) { [weak self] in self?.register($0, $1) }
        server.on(ReportLaunch.self) { [weak self] parameters, exchange in
          self?.reports.append("\(parameters.launch) \(parameters.state)")
          exchange.reply(ReportLaunch.Reply())
        }
      }

      private func register(_ parameters: RegisterLauncher.Parameters, _ exchange: Exchange<RegisterLauncher>) {
        guard !isRefusing else {
          refusals += 1
          return exchange.fail(ControlFailure.name, ControlFailure(.limitReached).members)
        }
        registrations.append(
          Registration(
            types: parameters.activityTypes,
            isIncomplete: parameters.isIncomplete,
            exchange: exchange,
            endedBefore: ended
          )
        )
        exchange.onClosed = { [weak self] in self?.ended += 1 }
        exchange.replyContinuing(RegisterLauncher.Reply(event: .registered))
      }

      func ask(_ launch: String) {
        let request = LaunchRequest(launch: launch, id: .random(), activityType: "a.b", team: "0123456789")
        registrations.last?.exchange.replyContinuing(RegisterLauncher.Reply(event: .launchRequested, request: request))
      }

      func stop(_ completion: @escaping @Loop () -> Void) { server.close(completion) }
    }

    @Loop
    private final class Received {
      var launches: [Launch] = []
      var states: [Bool] = []
      var names: [String] { launches.map(\.request.launch) }
    }

    private struct Scene: Sendable {
      let path: String
      let registration: LauncherRegistration
      let received: Received

      init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "baton-launcher-\(UUID().uuidString)").path
        (registration, received) = try onLoop {
          let received = Received()
          let registration = LauncherRegistration(socket: path, log: Log(level: .error)) {
            received.launches.append($0)
          }
          registration.onState = { received.states.append($0) }
          return (registration, received)
        }
        self.path = path
      }

      func startDaemon() throws -> Daemon { try onLoop { try Daemon(path) } }

      func stop(_ daemon: Daemon) throws {
        let stopped = Outcome<Bool>()
        try onLoop { daemon.stop { stopped.set(.success(true)) } }
        _ = try stopped.wait()
        unlink(path)
      }

      func register(_ type: String) throws { try onLoop { registration.register([type]) } }

      func expect(_ claim: String, _ condition: @escaping @Loop @Sendable () -> Bool) throws {
        try waitUntil(claim) { try onLoop { condition() } }
      }

      /// Waits until both sides know the last registration, which has this type, and the previous one has ended.
      func expectRegistration(_ number: Int, of type: String, at daemon: Daemon) throws {
        try expect("It is registered") {
          registration.isRegistered && daemon.registrations.count == number && daemon.ended == number - 1
        }
        #expect(try onLoop { daemon.registrations.last?.types } == [type])
      }

      /// Requests launches, and waits until all of the daemon's requests have been received.
      func expect(_ names: [String], after launches: String..., at daemon: Daemon) throws {
        try onLoop { for launch in launches { daemon.ask(launch) } }
        try expect("It is asked") { received.names.last == launches.last }
        #expect(try onLoop { received.names } == names)
      }
    }

    @Test func whatIsAskedAgainIsOneLaunch() throws {
      let scene = try Scene()
      let first = try scene.startDaemon()
      try scene.register("a.b")
      try scene.expectRegistration(1, of: "a.b", at: first)
      try scene.expect(["1"], after: "1", at: first)
      try scene.register("c.d")
      try scene.expectRegistration(2, of: "c.d", at: first)
      try scene.expect(["1", "2"], after: "1", "2", at: first)
      let old = try onLoop { scene.received.launches[0] }
      try onLoop { scene.registration.report(old, .launching) }
      try scene.expect("It is reported") { first.reports == ["1 launching"] }
      // Another daemon starts with the same names.
      try scene.stop(first)
      let second = try scene.startDaemon()
      try scene.expectRegistration(1, of: "c.d", at: second)
      try scene.expect(["1", "2", "1"], after: "1", at: second)
      try onLoop {
        scene.registration.report(old, .failed)
        scene.registration.report(scene.received.launches[2], .continued)
      }
      try scene.expect("It is reported") { !second.reports.isEmpty }
      #expect(try onLoop { second.reports } == ["1 continued"])
      try onLoop { scene.registration.stop() }
      try scene.stop(second)
    }

    @Test func thatAppsAreLeftOutIsRegisteredToo() throws {
      let scene = try Scene()
      let daemon = try scene.startDaemon()
      try scene.register("a.b")
      try scene.expectRegistration(1, of: "a.b", at: daemon)
      for isIncomplete in [false, true, true] {
        try onLoop { scene.registration.register(["a.b"], isIncomplete: isIncomplete) }
      }
      try scene.expectRegistration(2, of: "a.b", at: daemon)
      #expect(try onLoop { daemon.registrations.map(\.isIncomplete) } == [false, true])
      try onLoop { scene.registration.stop() }
      try scene.stop(daemon)
    }

    @Test func aRegistrationThatFailsLeavesTheOneThatWorks() throws {
      let clock = try ManualClock.install()
      let scene = try Scene()
      let daemon = try scene.startDaemon()
      try scene.register("a.b")
      try scene.expectRegistration(1, of: "a.b", at: daemon)
      try onLoop { daemon.isRefusing = true }
      try scene.register("c.d")
      try scene.expect("It tries again later") { scene.registration.nextAttempt != nil }
      try scene.expect(["1"], after: "1", at: daemon)
      try onLoop { daemon.isRefusing = false }
      try clock.pass(LauncherRegistration.launcherRetryTime)
      try scene.expectRegistration(2, of: "c.d", at: daemon)
      #expect(try onLoop { daemon.registrations[1].endedBefore } == 0)
      #expect(try onLoop { daemon.refusals } == 1)
      unlink(scene.path)
    }

    @Test func itTellsWhetherTheDaemonKnowsOfIt() throws {
      let clock = try ManualClock.install()
      let scene = try Scene()
      try scene.register("a.b")
      try scene.expect("There is none") { scene.received.states == [false] }
      // The state does not change.
      let first = try onLoop { scene.registration.nextAttempt }
      try clock.pass(Reconnection.reconnectBackoff.upperBound)
      try scene.expect("It tries again") { scene.registration.nextAttempt.map { $0 != first } ?? false }
      #expect(try onLoop { scene.received.states } == [false])
      let daemon = try scene.startDaemon()
      try clock.pass(Reconnection.reconnectBackoff.upperBound)
      try scene.expectRegistration(1, of: "a.b", at: daemon)
      try scene.expect("It is there") { scene.received.states == [false, true] }
      try scene.stop(daemon)
      try scene.expect("It is gone") { scene.received.states == [false, true, false] }
    }

    @Test func launchesAreRememberedAsLongAndAsManyAsTheLimits() throws {
      let clock = try ManualClock.install()
      let scene = try Scene()
      let daemon = try scene.startDaemon()
      try scene.register("a.b")
      try scene.expectRegistration(1, of: "a.b", at: daemon)
      var names = (1...LauncherRegistration.knownLaunches).map(String.init)
      try onLoop { [names] in names.forEach(daemon.ask) }
      try scene.expect(names + ["x"], after: "1", "x", at: daemon)
      // That was one too many, so the oldest was forgotten, and then the second.
      try scene.expect(names + ["x", "1"], after: "x", "3", "1", at: daemon)
      names += ["x", "1"]
      try clock.pass(Limits.launchTime)
      try scene.expect(names + ["x"], after: "x", at: daemon)
      unlink(scene.path)
    }
  }
}
