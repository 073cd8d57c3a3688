// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import Glibc
import Handoff
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// Neither a user nor a member fills the journal, which drops the lines of others then.
  ///
  /// Each test has its own process, because it reads what the process writes to standard error.
  struct LineLimitTests {
    /// What a test wrote to the log about something.
    private func lines(_ text: String, in result: ExitTest.Result?) -> [Substring] {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        .split(separator: "\n").filter { $0.contains(text) }
    }

    @Test func failedContinuationsAreFewLines() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsetenv("JOURNAL_STREAM")
        setenv("BATON_TEST_LOG", "info", 1)
        inOwnProcess {
          let clock = try ManualClock.install()
          try withTeam { a in
            let parameters = Continue.Parameters(id: ActivityID(randomBytes: (7, 7)))
            for _ in 0..<100 { _ = try a.failure(of: Continue.self, parameters) }
            try clock.pass(.seconds(10))
            for _ in 0..<2 { _ = try a.failure(of: Continue.self, parameters) }
            #expect(try a.status().counters[.continuationsFailed].values.reduce(0, +) == 102)
          }
        }
      }
      #expect(lines("A continuation failed", in: result).count == 21)
      let leftOut = lines("Suppressed lines about a user", in: result)
      #expect(leftOut.count == 1)
      #expect(leftOut.first?.hasSuffix(" user=\(getuid()) lines=80") == true)
    }

    @Test func streamsOfAMemberAreFewLines() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsetenv("JOURNAL_STREAM")
        setenv("BATON_TEST_LOG", "info", 1)
        inOwnProcess {
          let clock = try ManualClock.install()
          try withTeam { a in
            try onLoop {
              let shell = a.daemon.shell
              let team = try #require(TeamID(bytes: Array(repeating: 1, count: 32)))
              let peers = try (1...2 as ClosedRange<UInt8>).map { number in
                PeerID(team: team, device: try #require(DeviceID(bytes: Array(repeating: number, count: 32))))
              }
              for number in 0..<100 {
                shell.streamBegan("first\(number)", with: peers[0])
                shell.streamEnded("first\(number)", with: peers[0], .streamReset)
              }
              shell.streamBegan("second", with: peers[1])
              clock.advance(by: .seconds(1))
              shell.streamBegan("last", with: peers[0])
            }
          }
        }
      }
      #expect(lines(" stream=first", in: result).count == 60)
      #expect(lines(" stream=second", in: result).count == 1, "Another's lines are its own")
      #expect(lines(" stream=last", in: result).count == 1)
      #expect(lines("Suppressed lines about streams", in: result).first?.hasSuffix(" lines=140") == true)
    }
  }
}
