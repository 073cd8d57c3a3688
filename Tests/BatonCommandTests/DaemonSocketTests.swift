// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import EventLoop
import Foundation
import Testing

@testable import VarlinkClient

@Suite struct DaemonSocketTests {
  @Test func theNamedSocketIsTheOnlyOne() {
    let environment = ["BATON_SOCKET": "/b", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(DaemonSocket.paths(option: "/o") { environment[$0] } == ["/o"])
    #expect(DaemonSocket.paths(option: nil) { environment[$0] } == ["/b"])
  }

  @Test func theUsersDaemonComesBeforeTheMachines() {
    #expect(
      DaemonSocket.paths(option: nil) { ["XDG_RUNTIME_DIR": "/run/user/7"][$0] }
        == ["/run/user/7/baton/baton.sock", "/run/baton/baton.sock"]
    )
    #expect(DaemonSocket.paths(option: nil) { _ in nil } == ["/run/baton/baton.sock"])
    #expect(DaemonSocket.paths(option: nil) { ["XDG_RUNTIME_DIR": "relative"][$0] } == ["/run/baton/baton.sock"])
  }

  @Test func aSocketThatNobodyListensOnIsPassedOver() throws {
    try withDirectory { directory in
      let dead = directory + "/dead.sock"
      _ = close(try Sockets.listen(path: dead, mode: 0o600))
      let alive = directory + "/alive.sock"
      let listener = try Sockets.listen(path: alive, mode: 0o600)
      defer { _ = close(listener) }
      _ = close(try DaemonSocket.open([directory + "/missing.sock", dead, alive], isNamed: false))
      #expect(throws: ControlError.notRunning(paths: [dead])) { try DaemonSocket.open([dead], isNamed: true) }
    }
  }

  @Test func onlyRootTheUserAndTheSystemsDaemonAreBelieved() {
    let path = "/run/user/7/baton/baton.sock"
    #expect(DaemonSocket.isBelieved(7, at: path, owner: 7, own: 7))
    #expect(DaemonSocket.isBelieved(0, at: path, owner: 7, own: 7))
    // After su: the folder belongs to the user who listens there.
    #expect(!DaemonSocket.isBelieved(7, at: path, owner: 7, own: 0))
    #expect(!DaemonSocket.isBelieved(7, at: path, owner: 7, own: 8))
    #expect(DaemonSocket.isBelieved(61184, at: DaemonSocket.systemPath, owner: 61184, own: 0))
    #expect(!DaemonSocket.isBelieved(7, at: DaemonSocket.systemPath, owner: 61184, own: 0))
    #expect(!DaemonSocket.isBelieved(7, at: DaemonSocket.systemPath, owner: nil, own: 0))
  }

  @Test func aVariableOfAnotherUserNamesNothing() throws {
    try withDirectory { directory in
      func isNamed(_ option: String?, _ values: [String: String]) -> Bool {
        DaemonSocket.isNamed(option, "BATON_SOCKET", ProcessEnvironment(values))
      }
      #expect(!isNamed(nil, [:]))
      #expect(!isNamed(nil, ["BATON_SOCKET": "", "XDG_RUNTIME_DIR": directory]))
      #expect(isNamed("/o", [:]))
      for own in [directory, directory + "/missing", ""] {
        #expect(isNamed(nil, ["BATON_SOCKET": "/b", "XDG_RUNTIME_DIR": own]))
      }
      guard geteuid() == 0 else { return }
      // After su, both are those of the user before.
      chown(directory, 12345, 12345)
      #expect(!isNamed(nil, ["BATON_SOCKET": "/b", "XDG_RUNTIME_DIR": directory]))
      #expect(isNamed("/o", ["BATON_SOCKET": "/b", "XDG_RUNTIME_DIR": directory]))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can run a server as another user"))
  func aServerOfAnotherUserIsRefusedWhoeverOwnsTheFolder() throws {
    try withDirectory { directory in
      let path = directory + "/foreign.sock"
      chmod(directory, 0o777)
      let server = try ChildProcess(
        ["/usr/bin/env", "setpriv", "--reuid=12345", "--clear-groups", "socat", "UNIX-LISTEN:\(path),fork", "PIPE"]
      )
      defer {
        server.send(SIGKILL)
        _ = server.waitUntilExit()
      }
      let deadline = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < deadline, (try? Sockets.connect(path: path)).map({ close($0) }) == nil {
        usleep(10_000)
      }
      let refusal = ControlError.foreignServer(path: path, user: 12345)
      #expect(throws: refusal) { try DaemonSocket.open([path], isNamed: false) }
      chown(directory, 12345, 12345)
      #expect(throws: refusal) { try DaemonSocket.open([path], isNamed: false) }
      #expect(throws: refusal) { try DaemonSocket.open([path, directory + "/missing.sock"], isNamed: false) }
      // The user has named it.
      _ = close(try DaemonSocket.open(option: path))
      _ = close(try SearchSocket.open(path, isBlocking: true))
      // The environment of the other user does not keep root from the system's daemon.
      let own = directory + "/own.sock"
      let listener = try Sockets.listen(path: own, mode: 0o600)
      defer { _ = close(listener) }
      _ = close(try DaemonSocket.open([path, own], isNamed: false))
    }
  }

  func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory.path)
  }
}
