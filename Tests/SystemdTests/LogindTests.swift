// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Systemd

/// Each test has its own bus and its own process, because the bus's address is in the environment.
struct LogindTests {
  static let canRun = (["/usr/bin/dbus-daemon", "/usr/lib/python3/dist-packages/dbus"] as [String]).allSatisfy {
    access($0, F_OK) == 0
  }

  @Loop
  private final class Told {
    var events: [LoginEvent] = []
    var sentences: [String] = []
    var isKnown = false
  }

  private struct Scene: Sendable {
    let logind: Logind
    private let told: Told

    init(screensOnly: Bool = false) throws {
      (logind, told) = try onLoop {
        let told = Told()
        let logind = Logind(screensOnly: screensOnly) { sentence in Task { @Loop in told.sentences.append(sentence) } }
        logind.onEvent = { told.events.append($0) }
        logind.onKnown = { told.isKnown = true }
        logind.start()
        return (logind, told)
      }
    }

    func events() throws -> [LoginEvent] { try onLoop { told.events } }

    func isKnown() throws -> Bool { try onLoop { told.isKnown } }

    func sentences() throws -> [String] { try onLoop { told.sentences } }

    func expect(_ events: LoginEvent...) throws {
      try waitUntil("It told \(events)") { try self.events() == events }
      try onLoop { told.events = [] }
    }
  }

  /// Runs `body` with a bus and, if wanted, a login manager. Then checks that nothing is left open.
  private static func run(withLogind: Bool = true, _ body: (TestBus, FakeLogind?, Scene) throws -> Void) throws {
    do {
      let bus = try TestBus()
      defer { bus.remove() }
      try bus.start()
      let manager = withLogind ? try FakeLogind() : nil
      // The loop's own descriptors stay open.
      try onLoop { _ = Timer {} }
      try Descriptors.settle()
      let before = Descriptors.count
      let scene = try Scene()
      try body(bus, manager, scene)
      try onLoop { scene.logind.stop() }
      try waitUntil("Every descriptor is closed") { Descriptors.count <= before }
      manager?.end()
    } catch {
      Issue.record(error)
    }
  }

  @Test(.enabled(if: canRun)) func sleepWaitsUntilItIsAllowed() async {
    await #expect(processExitsWith: .success) {
      try Self.run { _, manager, scene in
        try manager?.expect("inhibited")
        try manager?.obey("sleep")
        try scene.expect(.fallingAsleep)
        try onLoop { scene.logind.allowSleep() }
        try manager?.expect("released")
        try manager?.obey("wake")
        try scene.expect(.awake)
        // It takes the lock again, for the next sleep.
        try manager?.expect("inhibited")
        try manager?.obey("sleep")
        try scene.expect(.fallingAsleep)
      }
    }
  }

  @Test(.enabled(if: canRun)) func screensAreLockedAndUnlocked() async {
    await #expect(processExitsWith: .success) {
      try Self.run { _, manager, scene in
        try manager?.expect("inhibited")
        try manager?.obey("add 1 1000")
        try manager?.obey("add 2 1000 tty")
        try manager?.obey("add 3 1001 x11")
        try manager?.obey("lock 1")
        try manager?.obey("lock 3")
        try scene.expect(.lockedUsers([1001]))
        try manager?.obey("remove 2")
        try scene.expect(.lockedUsers([1000, 1001]))
        try manager?.obey("unlock 1")
        try scene.expect(.lockedUsers([1001]))
        try manager?.obey("close 3")
        try scene.expect(.lockedUsers([]))
      }
    }
  }

  @Test(.enabled(if: canRun)) func whatWasLockedBeforeIsKnown() async {
    await #expect(processExitsWith: .success) {
      try Self.run { _, manager, scene in
        try onLoop { scene.logind.stop() }
        try manager?.obey("add 1 1000")
        try manager?.obey("lock 1")
        try manager?.obey("sleep")
        let second = try Scene()
        try waitUntil("It is told") { try Set(second.events().map { "\($0)" }).count == 2 }
        #expect(try second.events().contains(.lockedUsers([1000])))
        #expect(try second.events().contains(.fallingAsleep))
        try onLoop { second.logind.stop() }
      }
    }
  }

  @Test(.enabled(if: canRun)) func whoeverShowsSomethingKnowsOfEachScreenAndDelaysNoSleep() async {
    await #expect(processExitsWith: .success) {
      try Self.run { _, manager, scene in
        try manager?.expect("inhibited")
        try onLoop { scene.logind.stop() }
        try manager?.expect("released")
        try manager?.obey("add 1 1000")
        try manager?.obey("add 2 1000 tty")
        try manager?.obey("lock 1")
        let second = try Scene(screensOnly: true)
        try waitUntil("It is known") { try second.isKnown() }
        #expect(try second.events() == [.lockedUsers([1000])])
        // If it had asked for a lock, that would have been reported before this.
        try manager?.obey("unlock 1")
        try waitUntil("It is unlocked") { try second.events().last == .lockedUsers([]) }
        try manager?.obey("lock 2")
        try manager?.obey("lock 1")
        try waitUntil("It is locked") { try second.events().count == 3 }
        #expect(manager?.hasSaid("inhibited") == false)
        try onLoop { second.logind.stop() }
      }
    }
  }

  @Test(.enabled(if: canRun)) func whereNobodyCanSayItIsKnownAtOnce() async {
    await #expect(processExitsWith: .success) {
      try Self.run(withLogind: false) { _, _, scene in
        let second = try Scene(screensOnly: true)
        try waitUntil("It is known") { try second.isKnown() }
        #expect(try second.events().isEmpty)
        try onLoop { second.logind.stop() }
      }
    }
  }

  @Test(.enabled(if: canRun)) func aLoginManagerThatGoesLocksNothing() async {
    await #expect(processExitsWith: .success) {
      try Self.run { _, manager, scene in
        try manager?.expect("inhibited")
        try manager?.obey("add 1 1000")
        try manager?.obey("lock 1")
        try scene.expect(.lockedUsers([1000]))
        try manager?.obey("sleep")
        try scene.expect(.fallingAsleep)
        try manager?.obey("drop")
        try scene.expect(.lockedUsers([]), .awake)
        try manager?.obey("wake")
        try manager?.obey("own")
        try scene.expect(.lockedUsers([1000]))
        try manager?.expect("inhibited")
      }
    }
  }

  @Test(.enabled(if: canRun)) func itWaitsForALoginManager() async {
    await #expect(processExitsWith: .success) {
      try Self.run(withLogind: false) { _, _, scene in
        let manager = try FakeLogind()
        try manager.expect("inhibited")
        try manager.obey("add 1 1000")
        try manager.obey("lock 1")
        try scene.expect(.lockedUsers([1000]))
        #expect(try scene.sentences().isEmpty)
        manager.end()
        try scene.expect(.lockedUsers([]))
      }
    }
  }

  @Test(.enabled(if: canRun)) func aBusThatGoesAndComesBackIsUsedAgain() async {
    await #expect(processExitsWith: .success) {
      try Self.run { bus, manager, scene in
        try manager?.expect("inhibited")
        try manager?.obey("add 1 1000")
        try manager?.obey("lock 1")
        try scene.expect(.lockedUsers([1000]))
        try manager?.obey("sleep")
        try scene.expect(.fallingAsleep)
        bus.stop()
        // Nobody would report the end of the sleep.
        try scene.expect(.awake)
        try bus.start()
        let second = try FakeLogind()
        try second.expect("inhibited")
        try scene.expect(.lockedUsers([]))
        try second.obey("sleep")
        try scene.expect(.fallingAsleep)
        #expect(try scene.sentences().count == 1)
        second.end()
      }
    }
  }

  @Test(.enabled(if: canRun)) func theLoopRunsOnWhileTheBusHangs() async {
    await #expect(processExitsWith: .success) {
      try Self.run { bus, manager, scene in
        try manager?.expect("inhibited")
        bus.signal(SIGSTOP)
        let began = ContinuousClock.now
        let late = try Scene()
        for _ in 0..<100 { _ = try late.events() }
        try onLoop { late.logind.stop() }
        // A call of sd-bus that blocked would take 25 s.
        #expect(ContinuousClock.now - began < .seconds(10))
        bus.signal(SIGCONT)
        try manager?.obey("sleep")
        try scene.expect(.fallingAsleep)
      }
    }
  }

  @Test func withoutABusItTriesAgain() async {
    await #expect(processExitsWith: .success) {
      do {
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus", 1)
        let scene = try Scene()
        try waitUntil("It says so") { try scene.sentences().count == 1 }
        #expect(try scene.events().isEmpty)
        try onLoop { scene.logind.stop() }
      } catch {
        Issue.record(error)
      }
    }
  }
}
