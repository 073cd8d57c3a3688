// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Systemd
import TestSupport
import Testing
import Varlink
import VarlinkServer

@testable import BatonAgent

extension AgentTests {
  /// What happens when the daemon wants something opened.
  struct LaunchServiceTests {
    @Loop
    private final class Scene {
      let daemon: FakeDaemon
      let service: LaunchService
      private(set) var exchange: Exchange<RegisterLauncher>?
      private(set) var reports: [ReportLaunch.Parameters] = []

      /// - Parameter folder: The folder of the programs.
      init(_ folder: String, page: String) throws {
        daemon = try FakeDaemon()
        var options = AgentOptions()
        options.socket = daemon.path
        let environment = ProcessEnvironment(["PATH": folder, "HOME": folder])
        let log = Log(level: .error)
        let installed = InstalledApplications(environment, log: log)
        let associations = Associations(environment, installed: installed, log: log)
        let chosen = ChosenApplications(environment, log: log)
        service = LaunchService(
          options,
          environment,
          installed: installed,
          associations: associations,
          chosen: chosen,
          log: log
        )
        daemon.on(RegisterLauncher.self) { [weak self] _, exchange in
          self?.exchange = exchange
          exchange.replyContinuing(RegisterLauncher.Reply(event: .registered))
        }
        daemon.on(ReportLaunch.self) { [weak self] parameters, exchange in
          self?.reports.append(parameters)
          exchange.reply(ReportLaunch.Reply())
        }
        var activity = ControlActivity(id: .random(), activityType: "a.b")
        activity.webpageURL = page
        daemon.reply(to: Continue.self, Continue.Reply(activity: activity, device: "laptop", origin: .unknown))
        service.start()
      }

      func launch(_ name: String) {
        let request = LaunchRequest(
          launch: "1",
          id: .random(),
          activityType: "a.b",
          application: name,
          team: nil,
          hasWebPage: true
        )
        exchange?.replyContinuing(RegisterLauncher.Reply(event: .launchRequested, request: request))
      }

      func open(host: String?) {
        let request = LaunchRequest(
          launch: "1",
          id: .random(),
          deviceID: DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount)),
          activityType: "a.b",
          team: "0123456789",
          hasWebPage: true,
          webpageHost: host
        )
        exchange?.replyContinuing(RegisterLauncher.Reply(event: .launchRequested, request: request))
      }
    }

    /// Runs `body` with a folder of programs, and a service that has registered. Waits for its report.
    private static func report(
      page: String = "https://example.org/",
      prepare: (_ folder: String) throws -> Void,
      open: @escaping @Loop @Sendable (Scene) -> Void
    ) throws -> (ReportLaunch.Parameters?, String?) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "baton-launch-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try prepare(folder)
      let scene = try onLoop { try Scene(folder, page: page) }
      try waitUntil("It is registered") { try onLoop { scene.exchange != nil } }
      try onLoop { open(scene) }
      try waitUntil("It is reported") { try onLoop { !scene.reports.isEmpty } }
      let report = try onLoop { scene.reports.first }
      // A started program may still be writing.
      if report?.state != .failed {
        try waitUntil("It has run") { FileManager.default.fileExists(atPath: "\(folder)/ran") }
      }
      let stopped = Outcome<Bool>()
      try onLoop {
        scene.service.stop()
        scene.daemon.close { stopped.set(.success(true)) }
      }
      _ = try stopped.wait()
      let text = try? String(contentsOfFile: "\(folder)/ran", encoding: .utf8)
      return (report, text)
    }

    /// Makes a program that says that it has run, and with what.
    private static func program(_ name: String, in folder: String, _ what: String = "$@") throws {
      let script = "#!/bin/sh\necho \"\(name) \(what)\" >\(folder)/new; /bin/mv \(folder)/new \(folder)/ran\n"
      try script.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
    }

    /// - Returns: What was reported to the daemon, and the page that the browser got.
    private static func open(_ page: String, offered host: String?) throws -> (ReportLaunch.Parameters?, String?) {
      try report(page: page) {
        try program("xdg-open", in: $0)
      } open: {
        $0.open(host: host)
      }
    }

    /// - Returns: What was reported to the daemon, and what has run.
    private static func launch(_ name: String) throws -> (ReportLaunch.Parameters?, String?) {
      try report { folder in
        let applications = "\(folder)/.local/share/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        for (id, exec) in [("org.example.Reader", "reader --found"), ("broken", "nowhere")] {
          let entry = "[Desktop Entry]\nType=Application\nName=A\nExec=\(exec)\n"
          try entry.write(toFile: "\(applications)/\(id).desktop", atomically: true, encoding: .utf8)
        }
        try program("reader", in: folder, "$@ $BATON_ACTIVITY_TYPE")
        try program("xdg-open", in: folder)
      } open: {
        $0.launch(name)
      }
    }

    @Test(arguments: ["org.example.Reader", "reader"]) func theAppThatIsWantedIsStarted(name: String) async throws {
      let (report, ran) = try Self.launch(name)
      #expect(report?.state == .launching && ran == "reader --found a.b\n")
    }

    /// The daemon decides what comes next, so the page is not shown yet.
    @Test(arguments: [("org.example.Writer", .applicationNotFound), ("broken", .launchFailed)] as [(String, Reason)])
    func ifItIsNotThereNothingIsStarted(name: String, reason: Reason) async throws {
      let (report, ran) = try Self.launch(name)
      #expect(report?.state == .failed && report?.reason == reason && ran == nil)
    }

    @Test func thePageThatWasOfferedIsShown() async throws {
      let (report, page) = try Self.open("https://Example.org/a", offered: "example.org")
      #expect(report?.state == .continued && page == "xdg-open https://Example.org/a\n")
    }

    /// The user meant to open a page of the host that was shown.
    @Test(arguments: ["example.org", nil]) func aPageOfAnotherHostIsNotShown(host: String?) async throws {
      let (report, page) = try Self.open("https://evil.example/", offered: host)
      #expect(report?.state == .failed && report?.reason == .protocolViolation && page == nil)
    }

    @Test func anotherMachineOpensNoPageOfThisMachine() async throws {
      let (report, page) = try Self.open("http://127.1:3000/", offered: "127.1")
      #expect(report?.state == .failed && report?.reason == .urlInvalid && page == nil)
    }
  }
}
