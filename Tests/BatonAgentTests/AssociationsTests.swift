// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Foundation
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  /// These tests use a curl that answers what the test wants, and a clock that moves when the test wants.
  struct AssociationsTests {
    private struct Scene {
      let home: URL
      let clock: ManualClock
      let installed: InstalledApplications
      let associations: Associations

      /// - Parameter prepare: Called before the agent exists.
      init(_ answer: String, proxy: String = "", _ prepare: (URL) throws -> Void = { _ in }) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "baton-associations-\(UUID().uuidString)")
        self.home = home
        clock = try ManualClock.install()
        for folder in ["bin", "share/applications"] {
          try FileManager.default.createDirectory(at: home.appending(path: folder), withIntermediateDirectories: true)
        }
        try Self.install("app", ["example.org"], home)
        try Self.program("getent", #"echo "93.184.215.14   STREAM $2""#, home)
        try prepare(home)
        let environment = ProcessEnvironment([
          "HOME": home.path, "XDG_DATA_HOME": "\(home.path)/share", "XDG_DATA_DIRS": "/nonexistent",
          "PATH": "\(home.path)/bin:/usr/bin:/bin", "https_proxy": proxy,
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
        try program("curl", #"printf '%s\n' "$*" >>"$HOME/asked""# + "\n\(answer)", home)
      }

      static func program(_ name: String, _ script: String, _ home: URL) throws {
        let new = home.appending(path: "bin/new")
        try "#!/bin/sh\n\(script)\n".write(to: new, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: new.path)
        rename(new.path, home.appending(path: "bin/\(name)").path)
      }

      static func install(_ id: String, _ domains: [String], _ home: URL) throws {
        let domains = domains.joined(separator: ";")
        try "[Desktop Entry]\nType=Application\nName=A\nExec=a %u\nX-Baton-Domains=\(domains)\n".write(
          to: home.appending(path: "share/applications/\(id).desktop"),
          atomically: true,
          encoding: .utf8
        )
      }

      func set(_ answer: String) throws { try Self.set(answer, home) }

      /// Reads the apps again after they have changed.
      func changeApplications() throws {
        try onLoop {
          installed.start()
          associations.applicationsChanged()
        }
      }

      /// The names in the cache.
      var kept: Set<String> {
        let folder = home.appending(path: ".cache/baton/associations")
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      }

      /// Lets time pass. After each step, it waits for the answers to what was asked.
      func pass(_ seconds: Int, step: Int = 1) throws {
        for _ in 0..<seconds / step {
          try clock.pass(.seconds(step))
          _ = try isConfirmed
        }
      }

      /// Whether the domain lets the app show its pages. If the domain is being asked, this waits for the answer.
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

      /// How often domains were asked.
      var asked: Int { commands.count }

      /// The arguments of each call of curl.
      var commands: [Substring] {
        let asked = (try? String(contentsOf: home.appending(path: "asked"), encoding: .utf8)) ?? ""
        return asked.split(separator: "\n")
      }

      func remove() {
        try? onLoop {
          associations.stop()
          installed.stop()
        }
        try? FileManager.default.removeItem(at: home)
      }
    }

    private static let confirming = #"""
      printf '{"activitycontinuation":{"apps":["T.app"]}}\n200 application/json'
      """#

    private static func run(
      _ answer: String,
      proxy: String = "",
      _ prepare: (URL) throws -> Void = { _ in },
      _ body: (Scene) throws -> Void
    ) throws {
      let scene = try Scene(answer, proxy: proxy, prepare)
      defer { scene.remove() }
      try body(scene)
    }

    @Test func aDomainThatDoesNotAnswerIsAskedAgainSoon() throws {
      try Self.run("exit 6") { scene in
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

    @Test(arguments: ["exit 7", "exit 60", #"printf '\n503 text/html'"#])
    func whatADomainSaidCountsForSomeDaysWhileItDoesNotAnswer(answer: String) throws {
      try Self.run(Self.confirming) { scene in
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

    @Test func anAnswerReplacesWhatADomainSaid() throws {
      try Self.run(Self.confirming) { scene in
        #expect(try scene.isConfirmed)
        try scene.set(#"printf '\n404 text/html'"#)
        try scene.clock.pass(.seconds(AssociationCache.associationAge - 1))
        try scene.pass(2)
        #expect(try !scene.isConfirmed)
        try scene.set(Self.confirming)
        try scene.clock.pass(.seconds(AssociationCache.associationRetryAge - 3))
        try scene.pass(4)
        #expect(try scene.isConfirmed)
        #expect(scene.asked == 3)
      }
    }

    /// Answers that never come for domains whose name contains `mute`, so that several requests run at the same time.
    private static let silentOrConfirming = #"case "$*" in *mute*) exec sleep 600;; esac"# + "\n" + confirming

    @Test func silentDomainsOfOneAppDelayNoOther() throws {
      let silent = (0..<DesktopEntry.domainsPerApplication).map { "a\($0).mute.org" }
      let prepare: (URL) throws -> Void = { try Scene.install("greedy", silent, $0) }
      try Self.run(Self.silentOrConfirming, prepare) { scene in
        #expect(try scene.isConfirmed)
        func asked(_ count: Int) throws {
          try waitUntil("\(count) are asked") { scene.commands.count { $0.contains("mute") } == count }
        }
        try asked(DomainQueue.associationRequestsPerApplication)
        // Domains that do not answer make room for the next, and all requests end.
        try scene.clock.pass(Limits.associationTime)
        try asked(2 * DomainQueue.associationRequestsPerApplication)
        // The domains of an app that is gone are no longer asked.
        try FileManager.default.removeItem(at: scene.home.appending(path: "share/applications/greedy.desktop"))
        try Scene.install("other", ["other.mute.net"], scene.home)
        try scene.changeApplications()
        try asked(2 * DomainQueue.associationRequestsPerApplication + 1)
        #expect(try scene.isConfirmed)
      }
    }

    @Test func onlyPublicAddressesAreAsked() throws {
      let addresses = [
        "127.0.0.1", "10.0.0.7", "2606:2800::1", "::1", "169.254.169.254", "93.184.215.14", "fe80::1%lo",
      ]
      let list = addresses.map { "echo '\($0) STREAM example.org'; echo '\($0) DGRAM'" }.joined(separator: "\n")
      try Self.run(Self.confirming, { try Scene.program("getent", list, $0) }) { scene in
        #expect(try scene.isConfirmed)
        let command = try #require(scene.commands.first)
        #expect(command.contains("--resolve example.org:443:[2606:2800::1],93.184.215.14 https://example.org/"))
        #expect(command.contains("--noproxy *") && command.contains("--proto =https --max-redirs 0"))
      }
    }

    @Test func aDomainIsAskedAtSomeOfItsAddresses() throws {
      let list = "for n in $(seq \(AssociationRequest.addressesPerDomain + 1)); do echo 93.184.215.$n STREAM; done"
      try Self.run(Self.confirming, { try Scene.program("getent", list, $0) }) { scene in
        #expect(try scene.isConfirmed)
        let addresses = (1...AssociationRequest.addressesPerDomain).map { "93.184.215.\($0)" }.joined(separator: ",")
        let command = try #require(scene.commands.first)
        #expect(command.contains(":443:\(addresses) "))
      }
    }

    @Test(arguments: ["echo '127.0.0.1 STREAM'; echo '192.168.0.1 STREAM'", "exit 2", "echo nonsense", "yes 1.2.3.4"])
    func aDomainWithoutAPublicAddressIsNotAsked(list: String) throws {
      try Self.run(Self.confirming, { try Scene.program("getent", list, $0) }) { scene in
        #expect(try !scene.isConfirmed)
        #expect(scene.asked == 0)
        #expect(scene.kept == [], "It may have one in another network")
        try Scene.program("getent", "echo 93.184.215.14", scene.home)
        try scene.pass(60)
        #expect(try scene.isConfirmed)
      }
    }

    @Test func whatIsInTheCacheInsteadOfAFileIsNotWaitedFor() throws {
      let prepare: (URL) throws -> Void = { home in
        let folder = home.appending(path: ".cache/baton/associations")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["example.org", ".new", ".example.org.new"] {
          #expect(mkfifo(folder.appending(path: name).path, 0o600) == 0)
        }
      }
      try Self.run(Self.confirming, prepare) { scene in
        #expect(try scene.isConfirmed)
        #expect(scene.kept == ["example.org"])
        let path = scene.home.appending(path: ".cache/baton/associations/example.org")
        let data = try Data(contentsOf: path)
        #expect(!data.isEmpty)
      }
    }

    @Test func whatNoAppNamesAndWhatIsOldIsRemoved() throws {
      let prepare: (URL) throws -> Void = { home in
        let folder = home.appending(path: ".cache/baton/associations")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Scene.install("more", ["old.org", "new.org"], home)
        // The agent's clock already stands still, and the time of a file counts in whole seconds.
        for (name, age) in [("old.org", AssociationCache.associationKeepAge + 60), ("new.org", 60), ("nobody.org", 60)]
        {
          let file = folder.appending(path: name)
          try "{}".write(to: file, atomically: true, encoding: .utf8)
          let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -age)]
          try FileManager.default.setAttributes(attributes, ofItemAtPath: file.path)
        }
      }
      try Self.run(#"case "$*" in *old*) exit 7;; esac"# + "\n" + Self.confirming, prepare) { scene in
        #expect(try scene.isConfirmed)
        #expect(scene.kept == ["example.org", "new.org"])
        try Scene.install("app", ["new.org"], scene.home)
        try scene.changeApplications()
        #expect(scene.kept == ["new.org"])
      }
    }

    @Test func aProxyLooksNamesUpItself() throws {
      let prepare: (URL) throws -> Void = { try Scene.program("getent", "exit 2", $0) }
      try Self.run(Self.confirming, proxy: "http://proxy.example.org:3128", prepare) { scene in
        #expect(try scene.isConfirmed)
        let command = try #require(scene.commands.first)
        #expect(command.contains("--noproxy  https://example.org/") && !command.contains("--resolve"))
      }
    }
  }
}
