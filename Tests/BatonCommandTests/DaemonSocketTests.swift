import ChildProcess
import EventLoop
import Foundation
import Testing

@testable import ControlClient

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
      _ = close(try DaemonSocket.open([directory + "/missing.sock", dead, alive]))
      #expect(throws: ControlError.notRunning(paths: [dead])) { try DaemonSocket.open([dead]) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can run a server as another user"))
  func aServerOfAnotherUserIsRefusedUnlessTheDirectoryIsItsOwn() throws {
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
      #expect(throws: ControlError.foreignServer(path: path, user: 12345)) { try DaemonSocket.open([path]) }
      chown(directory, 12345, 12345)
      _ = close(try DaemonSocket.open([path]))
    }
  }

  func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory.path)
  }
}
