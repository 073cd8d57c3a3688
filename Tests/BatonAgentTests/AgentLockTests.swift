// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  struct AgentLockTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "baton-lock-\(UUID().uuidString)")

    /// Returns what keeps the lock.
    private func lock(_ socket: String? = nil, _ variables: [String: String] = [:]) throws -> DescriptorOwner? {
      let all = ["XDG_RUNTIME_DIR": home.path].merging(variables) { $1 }
      return try AgentLock(socket: socket, ProcessEnvironment(all)).map { DescriptorOwner($0.descriptor) }
    }

    @Test func aSecondAgentNoticesTheFirst() throws {
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      let first = try #require(try lock())
      let error = #expect(throws: AgentLock.Taken.self) { try lock() }
      #expect(error?.description == "An agent is already running for this user, as process \(getpid()).")
      // The lock for another daemon is a different one.
      let other = try #require(try lock("/run/a.sock"))
      #expect(throws: AgentLock.Taken.self) { try lock("/run/a.sock") }
      #expect(throws: AgentLock.Taken.self) { try lock(nil, ["BATON_SOCKET": "/run/a.sock"]) }
      #expect(try lock("/run/b.sock") != nil)
      withExtendedLifetime((first, other)) {}
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can make a directory of another user"))
    func nothingOfRootsLiesInAnotherUsersDirectory() throws {
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      #expect(chown(home.path, 12345, 12345) == 0)
      #expect(try lock() == nil)
      let environment = ProcessEnvironment(["XDG_RUNTIME_DIR": home.path])
      try onLoop { _ = #expect(throws: SystemError.self) { try SearchListener(passed: [], environment) } }
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    }

    @Test func whereThereIsNoPlaceForTheLockNobodyIsTurnedAway() throws {
      #expect(try lock(nil, ["XDG_RUNTIME_DIR": ""]) == nil)
      #expect(try lock() == nil)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      // The agent does not wait for a FIFO.
      #expect(mkfifo(home.appending(path: "baton-agent.lock").path, 0o600) == 0)
      #expect(try lock() != nil)
    }
  }
}
