import Activity
import DesktopEntries
import EventLoop
import Foundation
import Systemd
import TestSupport
import Testing

@testable import Agent

extension AgentTests {
  /// With a curl that says what the test wants, and a clock that moves when the test wants, so in a process of its own.
  struct AssociationsTests {
    private struct Scene {
      let home: URL
      let clock: ManualClock
      let installed: InstalledApplications
      let associations: Associations

      init(_ answer: String) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "baton-associations-\(UUID().uuidString)")
        self.home = home
        clock = try ManualClock.install()
        for folder in ["bin", "share/applications"] {
          try FileManager.default.createDirectory(at: home.appending(path: folder), withIntermediateDirectories: true)
        }
        try "[Desktop Entry]\nType=Application\nName=A\nExec=a %u\nX-Baton-Domains=example.org\n".write(
          to: home.appending(path: "share/applications/app.desktop"),
          atomically: true,
          encoding: .utf8
        )
        let environment = ProcessEnvironment([
          "HOME": home.path, "XDG_DATA_HOME": "\(home.path)/share", "XDG_DATA_DIRS": "/nonexistent",
          "PATH": "\(home.path)/bin:/usr/bin:/bin",
        ])
        try Self.set(answer, home)
        (installed, associations) = try onLoop {
          let installed = InstalledApplications(environment, log: Log(level: .error))
          let associations = Associations(environment, installed: installed, log: Log(level: .error))
          installed.start()
          associations.start()
          return (installed, associations)
        }
      }

      private static func set(_ answer: String, _ home: URL) throws {
        let curl = home.appending(path: "bin/curl")
        let new = home.appending(path: "bin/new")
        try "#!/bin/sh\necho asked >>\"$HOME/asked\"\n\(answer)\n".write(to: new, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: new.path)
        rename(new.path, curl.path)
      }

      func set(_ answer: String) throws { try Self.set(answer, home) }

      /// Lets time pass: after each step what was asked is answered.
      func pass(_ seconds: Int, step: Int = 1) throws {
        for _ in 0..<seconds / step {
          try clock.pass(.seconds(step))
          _ = try isConfirmed
        }
      }

      /// Whether the domain lets the app show its pages; where it is being asked, after that.
      var isConfirmed: Bool {
        get throws {
          let outcome = Outcome<Bool>()
          try onLoop {
            let page = try #require(WebPage("https://example.org/"))
            var claims = PageClaims(page, installed.catalog.applications(for: page, team: "T"))
            associations.find("example.org") {
              claims.answer("example.org", $0)
              outcome.set(.success(claims.applications?.isEmpty == false))
            }
          }
          return try outcome.wait()
        }
      }

      /// How often the domain was asked.
      var asked: Int {
        let asked = (try? String(contentsOf: home.appending(path: "asked"), encoding: .utf8)) ?? ""
        return asked.split(separator: "\n").count
      }

      func remove() {
        try? onLoop { associations.stop() }
        try? FileManager.default.removeItem(at: home)
      }
    }

    private static let confirming = #"""
      printf '{"activitycontinuation":{"apps":["T.app"]}}\n200 application/json'
      """#

    private static func run(_ answer: String, _ body: (Scene) throws -> Void) {
      do {
        let scene = try Scene(answer)
        defer { scene.remove() }
        try body(scene)
      } catch {
        Issue.record(error)
      }
    }

    @Test func aDomainThatDoesNotAnswerIsAskedAgainSoon() async {
      await #expect(processExitsWith: .success) {
        Self.run("exit 6") { scene in
          #expect(try !scene.isConfirmed)
          #expect(scene.asked == 1)
          try scene.pass(60)
          #expect(scene.asked == 2)
          try scene.set(Self.confirming)
          try scene.pass(120)
          #expect(try scene.isConfirmed)
          #expect(scene.asked == 3)
        }
      }
    }

    @Test(arguments: ["exit 7", "exit 60", #"printf '\n503 text/html'"#])
    func whatADomainSaidCountsForSomeDaysWhileItDoesNotAnswer(answer: String) async {
      await #expect(processExitsWith: .success) { [answer] in
        Self.run(Self.confirming) { scene in
          #expect(try scene.isConfirmed)
          try scene.set(answer)
          let (hour, day) = (60 * 60, 24 * 60 * 60)
          try scene.pass(day + hour, step: hour)
          #expect(try scene.isConfirmed)
          try scene.pass(6 * day - 2 * hour, step: hour)
          #expect(try scene.isConfirmed)
          try scene.pass(2 * hour, step: hour)
          #expect(try !scene.isConfirmed)
        }
      }
    }

    @Test func anAnswerReplacesWhatADomainSaid() async {
      await #expect(processExitsWith: .success) {
        Self.run(Self.confirming) { scene in
          #expect(try scene.isConfirmed)
          try scene.set(#"printf '\n404 text/html'"#)
          try scene.clock.pass(.seconds(Limits.associationAge - 1))
          try scene.pass(2)
          #expect(try !scene.isConfirmed)
          try scene.set(Self.confirming)
          try scene.clock.pass(.seconds(Limits.associationRetryAge - 3))
          try scene.pass(4)
          #expect(try scene.isConfirmed)
          #expect(scene.asked == 3)
        }
      }
    }
  }
}
