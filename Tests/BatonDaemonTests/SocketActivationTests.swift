// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import TestSupport
import Testing
import Varlink
import VarlinkClient

/// A control socket that systemd listens on.
extension DaemonTests {
  @Test func aDaemonServesTheSocketThatItWasGivenAndLeavesIt() throws {
    let held = Outcome<Int32>()
    let ada = try DaemonFixture("ada", network: nil) { directory in
      let listener = try Sockets.listen(path: "\(directory)/s", mode: 0o600)
      held.set(.success(dup(listener)))
      return [listener]
    }
    defer { ada.removeDirectory() }
    #expect(try ada.status().device == "ada")
    #expect(access("\(ada.socket).lock", F_OK) == -1)
    try ada.stop()
    // The socket stays for the next daemon, which gets anyone who has connected in the meantime.
    #expect(access(ada.socket, F_OK) == 0)
    let connection = try ada.connect()
    let listener = try held.wait()
    let next = try DaemonFixture("next", network: nil, directory: ada.directory) { _ in [listener] }
    #expect(try connection.call(GetStatus.self, Nothing()).device == "next")
    try next.stop()
  }

  @Test func aDaemonLeavesASocketAloneAtWhichSomebodyAnswers() throws {
    let held = Outcome<Int32>()
    let ada = try DaemonFixture("ada", network: nil) { directory in
      let listener = try Sockets.listen(path: "\(directory)/s", mode: 0o600)
      held.set(.success(dup(listener)))
      return [listener]
    }
    defer { ada.removeDirectory() }
    #expect(throws: (any Error).self) { try DaemonFixture("other", network: nil, directory: ada.directory) }
    #expect(try ada.status().device == "ada")
    // systemd keeps listening while no daemon runs.
    try ada.stop()
    #expect(throws: (any Error).self) { try DaemonFixture("other", network: nil, directory: ada.directory) }
    Sockets.close(try held.wait())
    let other = try DaemonFixture("other", network: nil, directory: ada.directory)
    #expect(try other.status().device == "other")
    try other.stop()
  }
}
