import Activity
import BatonDaemon
import ControlInterface
import EventLoop
import Testing

/// The line of `systemctl status`.
struct StatusReportTests {
  @Test func theLineTellsWhatAPersonWantsToKnow() {
    let state = StatusReport.State(teams: 1, peers: 3, discovery: .running, port: 22866)
    #expect(state.line == "3 peers connected; 1 team, TCP port 22866, discovery is running")
  }

  @Test func withoutATeamItSaysWhatToDo() {
    let state = StatusReport.State(discovery: .connecting)
    #expect(
      state.line == "In no team yet (baton team create, baton team join); discovery is waiting for avahi-daemon"
    )
    #expect(StatusReport.State(teams: 2, discovery: .disabled).line.hasSuffix("2 teams, TCP port 0, discovery is off"))
  }

  /// A report, the actual state, and what the report said.
  @Loop private final class Scene {
    var state = StatusReport.State(teams: 1)
    var told: [(line: String, time: ContinuousClock.Instant)] = []
    var looks = 0
    private(set) var report = StatusReport { _ in }

    init() {
      report = StatusReport { [unowned self] in told.append(($0, .now)) }
      report.state = { [unowned self] in
        looks += 1
        return state
      }
    }
  }

  @Loop @Test func changesComeTogetherAndTheLastOneArrives() async throws {
    let scene = Scene()
    // Nothing is reported before the service manager has been told that the service is ready.
    scene.report.changed()
    let begin = ContinuousClock.now
    #expect(scene.report.takeLine() == scene.state.line)
    for number in 1...100 {
      scene.state.peers = number
      scene.report.changed()
    }
    while scene.told.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(scene.told.map(\.line) == [scene.state.line])
    #expect(scene.told[0].time - begin >= Limits.statusInterval)
  }

  @Loop @Test func whatReadsTheSameIsNotToldAgain() async throws {
    let scene = Scene()
    _ = scene.report.takeLine()
    scene.state.peers = 1
    scene.report.changed()
    scene.state.peers = 0
    while scene.looks < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(scene.told.isEmpty)
  }
}
