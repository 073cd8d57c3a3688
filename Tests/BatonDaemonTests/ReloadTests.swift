// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import JSONCoding
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

private func apply(_ text: String, to machine: DaemonFixture) throws -> [ConfigurationChange] {
  try onLoop {
    var reader = ConfigurationReader()
    reader.read(text, path: "batond.conf")
    var configuration = reader.configuration
    configuration.name = configuration.name ?? machine.name
    configuration.port = 0
    return machine.daemon.apply(configuration)
  }
}

extension DaemonTests {
  /// What a daemon changes while it runs. Tests/Integration tests the same with sessions, streams and a real Avahi.
  struct ReloadTests {
    @Test func lockedScreensWithholdFromNowOnOrNoMore() throws {
      let login = FakeLogin()
      try withDaemons("alpha", logins: ["alpha": login]) { machines, _ in
        let a = machines[0]
        _ = try a.createTeam()
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try login.tell(.lockedUsers([getuid()]))
        #expect(try a.status().withheld == .screenLocked)
        let changes = try apply("[Privacy]\nWithholdWhenLocked=no\n", to: a)
        #expect(changes == [ConfigurationChange(key: "Privacy.WithholdWhenLocked", isApplied: true)])
        #expect(try a.status().withheld == nil)
        _ = try apply("", to: a)
        #expect(try a.status().withheld == .screenLocked)
        #expect(try a.status().current?.id == note.id)
      }
    }

    @Test func interfacesChangeUnderNewNamesButNotInSleep() throws {
      let login = FakeLogin()
      try withDaemons("alpha", logins: ["alpha": login]) { machines, network in
        let a = machines[0]
        _ = try a.createTeam()
        let before = try onLoop { network.publications.map(\.instance) }
        _ = try apply("[Network]\nInterfaces=eth*\n", to: a)
        #expect(try onLoop { a.discovery?.interfaces } == InterfacePolicy(interfaces: ["eth*"]))
        let after = try onLoop { network.publications.map(\.instance) }
        #expect(before.count == 1 && after.count == 1 && before != after)
        try login.tell(.fallingAsleep)
        _ = try apply("", to: a)
        #expect(try onLoop { network.publications.isEmpty })
        #expect(try onLoop { a.discovery?.interfaces } == InterfacePolicy())
      }
    }

    @Test func discoveryEndsAndBeginsAgain() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        _ = try apply("[Network]\nDiscovery=no\n", to: a)
        #expect(try a.status().discovery == .disabled)
        #expect(try onLoop { network.publications.map(\.port) } == [b.port])
        #expect(try apply("", to: a) == [ConfigurationChange(key: "Network.Discovery", isApplied: true)])
        #expect(try onLoop { Set(network.publications.map(\.port)) } == [a.port, b.port])
        #expect(try a.status().sessions == 1)
      }
    }

    @Test func whereNothingAnnouncesTurningDiscoveryOnTakesARestart() throws {
      try withTeam { a in
        _ = try apply("[Network]\nDiscovery=no\n", to: a)
        #expect(try apply("", to: a) == [ConfigurationChange(key: "Network.Discovery", isApplied: false)])
        #expect(try a.status().discovery == .disabled)
      }
    }

    @Test func aNewNameIsInTheAdvertAndAFolderInTheNextContinuation() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        _ = try apply("[Device]\nName=gamma\n[shared-folders]\nN=/n\n", to: a)
        #expect(try a.status().device == "gamma")
        try waitUntil("The name is known") { try b.peers().map(\.device) == ["gamma"] }
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.userInfo = ["f": ["$url": "file:///n/x"]]
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        #expect(try b.continueActivity(note.id).activity.userInfo == ["f": ["$url": "baton-folder:/N/x"]])
      }
    }
  }
}
