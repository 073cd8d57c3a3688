// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import ControlInterface
import EventLoop
import Testing

/// The line of `systemctl status`.
struct StatusReportTests {
  @Test func theLineTellsOfTheMachineAndOfNobodyOnIt() {
    #expect(StatusReport.State(port: 22866).line == "TCP port 22866; discovery is running")
    #expect(
      StatusReport.State(discovery: .connecting, port: 43211, takenPort: 22866).line
        == "TCP port 43211 because 22866 is in use; discovery is waiting for avahi-daemon"
    )
    #expect(StatusReport.State(discovery: .disabled).line == "No TCP port; discovery is off")
  }

  /// A report, the actual state, and what the report said.
  @Loop private final class Scene {
    var state = StatusReport.State()
    var told: [(line: String, time: ContinuousClock.Instant)] = []
    var looks = 0
    private(set) lazy var report = StatusReport { [unowned self] in
      looks += 1
      return state
    } tell: { [unowned self] in
      told.append(($0, .now))
    }
  }

  @Loop @Test func changesComeTogetherAndTheLastOneArrives() async throws {
    let scene = Scene()
    // Nothing is reported before the service manager has been told that the service is ready.
    scene.report.changed()
    let begin = ContinuousClock.now
    #expect(scene.report.takeLine() == scene.state.line)
    for number in UInt16(1)...100 {
      scene.state.port = number
      scene.report.changed()
    }
    while scene.told.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(scene.told.map(\.line) == [scene.state.line])
    #expect(scene.told[0].time - begin >= StatusReport.statusInterval)
  }

  @Loop @Test func whatReadsTheSameIsNotToldAgain() async throws {
    let scene = Scene()
    _ = scene.report.takeLine()
    scene.state.port = 1
    scene.report.changed()
    scene.state.port = 0
    while scene.looks < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(scene.told.isEmpty)
  }
}
