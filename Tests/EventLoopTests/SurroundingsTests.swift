// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import EventLoop
import Glibc
import TestSupport
import Testing

extension EventLoopTests {
  /// What the trait `.isolated` says about a test that leaves something behind.
  struct SurroundingsTests {
    /// Returns what was left between the two calls.
    private static func complaint(_ before: Surroundings) throws -> String {
      let error = #expect(throws: TestFailure.self) { try before.expectUnchanged(within: .milliseconds(10)) }
      return error?.description ?? ""
    }

    @Test func nothingIsSaidIfNothingIsLeft() throws { try Surroundings.settled().expectUnchanged() }

    @Test func aDescriptorIsNamedWithItsAddress() throws {
      let before = try Surroundings.settled()
      let socket = DescriptorOwner(try Sockets.listen(port: 0, backlog: 1))
      let port = try #require(Sockets.localAddress(of: socket.descriptor)?.port)
      let complaint = try Self.complaint(before)
      #expect(complaint.contains("descriptor \(socket.descriptor), socket:") && complaint.contains(":\(port)"))
    }

    @Test func timersOfBothClocksAreCounted() throws {
      let before = try Surroundings.settled()
      let timers = try onLoop { [Timer {}, Timer {}] }
      try onLoop { timers[0].set(Loop.now + .seconds(1000)) }
      #expect(try Self.complaint(before).contains("timers: 1"))
      let clock = try ManualClock.install()
      try onLoop { timers[1].set(Loop.now + .seconds(1000)) }
      #expect(try Self.complaint(before).contains("timers: 2"))
      try onLoop { for timer in timers { timer.set(nil) } }
      withExtendedLifetime(clock) {}
    }

    @Test func aChildProcessIsNoticedUntilItIsWaitedFor() throws {
      let before = try Surroundings.settled()
      let child = try ChildProcess(["/bin/true"])
      let complaint = try Self.complaint(before)
      #expect(child.waitUntilExit() == 0)
      #expect(complaint.contains("a child process"))
    }

    @Test func aChangeOfTheProcessIsNamed() throws {
      let before = try Surroundings.settled()
      let mask = umask(0o027)
      let complaint = try Self.complaint(before)
      umask(mask)
      #expect(complaint.contains("Umask: 0027 instead of "))
      try before.expectUnchanged()
    }
  }
}
