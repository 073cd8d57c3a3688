import Foundation
import Testing

@testable import BatonAgent

extension AgentTests {
  struct AgentLockTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "baton-lock-\(UUID().uuidString)")

    private func lock(_ socket: String? = nil, _ variables: [String: String] = [:]) throws -> AgentLock? {
      let all = ["XDG_RUNTIME_DIR": home.path].merging(variables) { $1 }
      return try AgentLock(socket: socket, ProcessEnvironment(all))
    }

    @Test func aSecondAgentNoticesTheFirst() throws {
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      #expect(try lock() != nil)
      let error = #expect(throws: AgentLock.Taken.self) { try lock() }
      #expect(error?.description == "An agent is already running for this user, as process \(getpid()).")
      // The lock for another daemon is a different one.
      #expect(try lock("/run/a.sock") != nil)
      #expect(throws: AgentLock.Taken.self) { try lock("/run/a.sock") }
      #expect(throws: AgentLock.Taken.self) { try lock(nil, ["BATON_SOCKET": "/run/a.sock"]) }
      #expect(try lock("/run/b.sock") != nil)
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
