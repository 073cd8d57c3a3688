import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Systemd
import TestSupport
import Testing
import Varlink
import VarlinkService

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
        daemon.reply(to: Continue.self, Continue.Reply(activity: activity, device: "laptop"))
        service.start()
      }

      func open(host: String?) {
        let request = LaunchRequest(
          launch: "1",
          id: .random(),
          activityType: "a.b",
          team: "0123456789",
          hasWebPage: true,
          webpageHost: host
        )
        exchange?.replyContinuing(RegisterLauncher.Reply(event: .launchRequested, request: request))
      }
    }

    /// - Returns: What was reported to the daemon, and the page that the browser got.
    private static func open(_ page: String, offered host: String?) throws -> (ReportLaunch.Parameters?, String?) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "baton-launch-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let browser = "\(folder)/xdg-open"
      try "#!/bin/sh\necho \"$@\" >\(folder)/page\n".write(toFile: browser, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
      let scene = try onLoop { try Scene(folder, page: page) }
      try waitUntil("It is registered") { try onLoop { scene.exchange != nil } }
      try onLoop { scene.open(host: host) }
      try waitUntil("It is reported") { try onLoop { !scene.reports.isEmpty } }
      let report = try onLoop { scene.reports.first }
      let stopped = Outcome<Bool>()
      try onLoop {
        scene.service.stop()
        scene.daemon.close { stopped.set(.success(true)) }
      }
      _ = try stopped.wait()
      return (report, try? String(contentsOfFile: "\(folder)/page", encoding: .utf8))
    }

    @Test(arguments: ["example.org", nil]) func thePageThatWasOfferedIsShown(host: String?) async throws {
      let (report, page) = try Self.open("https://Example.org/a", offered: host)
      #expect(report?.state == .continued && page == "https://Example.org/a\n")
    }

    /// The user meant to open a page of the host that was shown.
    @Test func aPageOfAnotherHostIsNotShown() async throws {
      let (report, page) = try Self.open("https://evil.example/", offered: "example.org")
      #expect(report?.state == .failed && report?.reason == .protocolViolation && page == nil)
    }
  }
}
