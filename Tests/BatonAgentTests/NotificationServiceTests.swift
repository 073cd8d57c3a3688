// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import Glibc
import Systemd
import TestSupport
import Testing
import VarlinkServer

@testable import BatonAgent
@testable import Desktop

extension AgentTests {
  /// From the daemon's offers to the screen, with a bus of its own that has a desktop and a login manager.
  struct NotificationServiceTests {
    private struct Scene {
      let bus: TestBus
      let server: BusProgram
      let login: BusProgram
      let daemon: FakeDaemon
      let service: NotificationService

      /// - Parameter commands: What has happened to the login manager beforehand.
      init(_ commands: [String] = [], offers: [ControlOffer]) throws {
        bus = try TestBus()
        try bus.start()
        setenv("HOME", bus.directory, 1)
        server = try BusProgram("fake-notifications", ready: #"{"ready": true}"#)
        login = try BusProgram("fake-logind")
        for command in commands { try login.obey(command) }
        (daemon, service) = try onLoop {
          let daemon = try FakeDaemon()
          daemon.on(ListOffers.self) { _, exchange in
            exchange.replyContinuing(ListOffers.Reply(offers: offers))
            exchange.stayOpen()
          }
          let environment = ProcessEnvironment.current
          let service = NotificationService(socket: daemon.path, environment, log: Log(level: .error)) { offer in
            OfferNotice(offer, ApplicationCatalog(), ApplicationChoices(), environment)
          }
          service.start()
          return (daemon, service)
        }
      }

      func expectCall(_ name: String, _ parts: String...) throws {
        let line = try server.next("\(name) \(parts)") { $0.hasPrefix(#"{"call": "\#(name)""#) }
        for part in parts { #expect(line.contains(part), "\(line)") }
      }

      func stop() throws {
        let stopped = Outcome<Bool>()
        try onLoop { [service] in service.stop { stopped.set(.success(true)) } }
        _ = try stopped.wait()
        server.end()
        login.end()
        bus.remove()
      }
    }

    @Test func aScreenThatIsLockedShowsNothing() async {
      await #expect(processExitsWith: .success) {
        do {
          let user = getuid()
          let scene = try Scene(
            ["add 1 \(user)", "add 2 \(user) tty", "lock 1"],
            offers: [try ControlOffer.sample("Secret")]
          )
          // If it had been shown, the server would have been called before the screen is unlocked.
          try scene.server.obey("can actions body", answer: #"{"ok": "can actions body"}"#)
          try scene.login.obey("unlock 1")
          try scene.expectCall("Notify", #""summary": "Secret""#)
          #expect(!scene.server.unread.contains { $0.contains("Notify") })
          try scene.login.obey("lock 1")
          try scene.expectCall("CloseNotification", #""id": 1"#)
          try scene.login.obey("unlock 1")
          try scene.expectCall("Notify", #""summary": "Secret""#, #""urgency": 0"#)
          try scene.stop()
        } catch {
          Issue.record(error)
        }
      }
    }

    @Test func aMachineThatIsMutedShowsNothingMore() async {
      await #expect(processExitsWith: .success) {
        do {
          let (first, second) = (try ControlOffer.sample("First"), try ControlOffer.sample("Second", device: 2))
          let scene = try Scene(offers: [first, second])
          try scene.expectCall("Notify", #""summary": "First""#, "Mute laptop 1")
          try scene.expectCall("Notify", #""summary": "Second""#)
          try scene.server.obey("invoke 1 token mute", answer: #"{"ok": "invoke 1 token mute"}"#)
          let file = "\(scene.bus.directory)/.config/baton/muted-machines"
          let text = try waitFor("It is written down") {
            (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
          }
          #expect(text == "\(first.deviceID.text) laptop 1\n")
          try scene.stop()
        } catch {
          Issue.record(error)
        }
      }
    }
  }
}
