// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport
import Testing
import VarlinkClient

@Suite(.isolated)
struct ProgramStreamTests {
  @Test func withoutADaemonNothingBegins() async {
    let error = await refusal()
    #expect(error == .notRunning(paths: ["/nonexistent/baton.sock"]))
  }

  @Loop
  private func refusal() -> ControlError? {
    do throws(ControlError) {
      _ = try ProgramStream(.accepting("1"), path: "/nonexistent/baton.sock") { _ in }
      return nil
    } catch { return error }
  }
}
