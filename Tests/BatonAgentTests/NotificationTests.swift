// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Foundation
import Glibc
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  /// Each test has its own bus and its own process, because the bus's address is in the environment.
  struct NotificationTests {
    /// The program Tests/Lab/fake-notifications.
    private final class Server {
      private let program: BusProgram

      init() throws { program = try BusProgram("fake-notifications", ready: #"{"ready": true}"#) }

      func end() { program.end() }

      func obey(_ command: String) throws { try program.obey(command, answer: #"{"ok": "\#(command)"}"#) }

      func expectCall(_ name: String, _ parts: String...) throws {
        let line = try program.next("\(name) \(parts)") { $0.hasPrefix(#"{"call": "\#(name)""#) }
        for part in parts { #expect(line.contains(part), "\(line)") }
      }
    }

    @Loop
    private final class Opened {
      var tokens: [String?] = []
      var muted: [String] = []
    }

    private struct Scene: Sendable {
      let shell: OfferNotifier
      let opened: Opened

      init() throws {
        (shell, opened) = try onLoop {
          let opened = Opened()
          let shell = OfferNotifier(log: Log(level: .error)) { _, token, completion in
            opened.tokens.append(token)
            completion(token == nil ? .failed("It is gone.") : .opened)
          } decline: { _ in
          } mute: { device, name in
            opened.muted.append("\(device) \(name)")
          }
          shell.start()
          return (shell, opened)
        }
      }

      func offer(_ titles: String...) throws {
        let device = try #require(DeviceID(bytes: Array(repeating: 0, count: DeviceID.byteCount)))
        try onLoop {
          shell.offersChanged(
            titles.enumerated().map { number, title in
              OfferNotice(
                id: OfferNotice.ID(activity: ActivityID(randomBytes: (UInt64(number), 0)), deviceID: device),
                activityType: "org.example.note",
                title: title,
                device: "laptop"
              )
            }
          )
        }
      }

      func stop() throws {
        let outcome = Outcome<Bool>()
        try onLoop { shell.stop { outcome.set(.success(true)) } }
        _ = try outcome.wait()
      }
    }

    /// Runs `body` with a bus and a server on it. Then checks that the shell leaves nothing open.
    private static func run(_ body: (TestBus, Server, Scene) throws -> Void) throws {
      do {
        let bus = try TestBus()
        defer { bus.remove() }
        try bus.start()
        let server = try Server()
        // The loop's own descriptors stay open.
        try onLoop { _ = Timer {} }
        try Descriptors.settle()
        let before = Descriptors.count
        let scene = try Scene()
        try body(bus, server, scene)
        try scene.stop()
        try waitUntil("Every descriptor is closed") { Descriptors.count <= before }
        server.end()
      } catch {
        Issue.record(error)
      }
    }

    @Test func anOfferIsShownChangedAndOpened() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, server, scene in
          try scene.offer("Draft")
          try server.expectCall("Notify", #""replaced": 0"#, #""summary": "Draft""#)
          try scene.offer("Other")
          try server.expectCall("Notify", #""replaced": 1"#, #""summary": "Other""#)
          // Nobody has read that yet.
          try server.obey("invoke 1 early")
          try server.expectCall("Notify", #""replaced": 0"#, #""summary": "Other""#)
          try server.obey("invoke 2 token")
          try waitUntil("It is opened") { try onLoop { scene.opened.tokens == ["token"] } }
        }
      }
    }

    @Test func aPersonMutesAMachine() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, server, scene in
          try scene.offer("Draft", "Other")
          try server.expectCall(
            "Notify",
            #""actions": ["default", "Continue", "continue", "Continue", "mute", "Mute laptop"]"#
          )
          try server.expectCall("Notify")
          try server.obey("invoke 1 token mute")
          try waitUntil("It is muted") { try onLoop { scene.opened.muted == ["0000000000 laptop"] } }
          // The server has closed the first one by itself, and the second one goes with it.
          try server.expectCall("CloseNotification")
          try server.expectCall("CloseNotification")
          #expect(try onLoop { scene.opened.tokens.isEmpty })
        }
      }
    }

    @Test func nothingIsShownOnALockedScreen() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, server, scene in
          try scene.offer("Draft")
          try server.expectCall("Notify", #""summary": "Draft""#)
          try onLoop { scene.shell.screenChanged(isLocked: true) }
          try server.expectCall("CloseNotification", #""id": 1"#)
          try scene.offer("Secret")
          try onLoop { scene.shell.screenChanged(isLocked: false) }
          try server.expectCall("Notify", #""replaced": 0"#, #""summary": "Secret""#, #""urgency": 0"#)
        }
      }
    }

    @Test func aFailureIsShown() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, server, scene in
          try scene.offer("Draft")
          try server.expectCall("Notify")
          try server.obey("invoke 1")
          try server.expectCall("Notify", "Couldn't continue from laptop: It is gone.")
        }
      }
    }

    @Test func stoppingWithdrawsWhatIsShownAndWhatIsOnItsWay() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, server, scene in
          try server.obey("mute")
          try scene.offer("Draft")
          try server.expectCall("Notify")
          let stopping = onThread { try scene.stop() }
          try server.obey("speak")
          try stopping.wait()
          try server.expectCall("CloseNotification", #""id": 1"#)
        }
      }
    }

    @Test func aBusThatGoesAndComesBackIsUsedAgain() async {
      await #expect(processExitsWith: .success) {
        try Self.run { bus, server, scene in
          try scene.offer("Draft")
          try server.expectCall("Notify")
          bus.stop()
          try scene.offer("Draft", "Other")
          try bus.start()
          let second = try Server()
          try second.expectCall("Notify", #""replaced": 0"#)
          second.end()
        }
      }
    }

    @Test func aBusThatComesBeforeItIsTriedAgainIsTriedNoMore() async {
      await #expect(processExitsWith: .success) {
        do {
          let clock = try ManualClock.install()
          let bus = try TestBus()
          defer { bus.remove() }
          let scene = try Scene()
          try bus.start()
          let server = try Server()
          try scene.offer("Draft")
          try server.expectCall("Notify", #""replaced": 0"#)
          // By now, it would have been tried again.
          try clock.pass(Limits.notificationBackoff.lowerBound)
          try scene.offer("Other")
          try server.expectCall("Notify", #""replaced": 1"#, #""summary": "Other""#)
          try scene.stop()
          server.end()
        } catch {
          Issue.record(error)
        }
      }
    }

    @Test func theLoopRunsOnWhileTheBusHangs() async {
      await #expect(processExitsWith: .success) {
        try Self.run { bus, server, scene in
          try scene.offer("Draft")
          try server.expectCall("Notify")
          // The notification's number must have arrived by then.
          try scene.offer("Other")
          try server.expectCall("Notify", #""replaced": 1"#)
          bus.signal(SIGSTOP)
          let began = ContinuousClock.now
          for number in 0..<100 { try scene.offer("Title \(number)") }
          try scene.stop()
          #expect(ContinuousClock.now - began < .seconds(5))
          bus.signal(SIGCONT)
          try server.expectCall("CloseNotification", #""id": 1"#)
        }
      }
    }

    @Test func withoutABusNothingIsShown() async {
      await #expect(processExitsWith: .success) {
        do {
          unsetenv("XDG_RUNTIME_DIR")
          unsetenv("DBUS_SESSION_BUS_ADDRESS")
          try onLoop { _ = Timer {} }
          try Descriptors.settle()
          let before = Descriptors.count
          let scene = try Scene()
          try scene.offer("Draft")
          // It can be stopped, and leaves nothing behind.
          try scene.stop()
          try waitUntil("Every descriptor is closed") { Descriptors.count <= before }
          #expect(try onLoop { scene.opened.tokens.isEmpty })
        } catch {
          Issue.record(error)
        }
      }
    }
  }
}
