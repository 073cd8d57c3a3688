import Activity
import Daemon
import ControlInterface
import EventLoop
import Testing

/// The line of `systemctl status`.
struct StatusReportTests {
  @Test func theLineTellsWhatAPersonWantsToKnow() {
    let state = StatusReport.State(teams: 1, peers: 3, offers: 1, streams: 0, discovery: .running, port: 22866)
    #expect(state.line == "3 peers connected, 1 offer, 0 streams; 1 team, TCP port 22866, discovery runs")
  }

  @Test func withoutATeamItSaysWhatToDo() {
    let state = StatusReport.State(discovery: .connecting)
    #expect(
      state.line == "In no team yet (baton team create, baton team join); discovery waits for avahi-daemon"
    )
    #expect(StatusReport.State(teams: 2, discovery: .disabled).line.hasSuffix("2 teams, TCP port 0, discovery is off"))
  }

  @Loop @Test func changesComeTogetherAndTheLastOneArrives() async throws {
    var state = StatusReport.State(teams: 1)
    var told: [(line: String, time: ContinuousClock.Instant)] = []
    let tell: @Loop (String) -> Void = { told.append(($0, .now)) }
    let report = StatusReport(tell: tell)
    report.state = { state }
    report.changed()
    let begin = ContinuousClock.now
    #expect(report.line == state.line)
    for number in 1...100 {
      state.peers = number
      report.changed()
    }
    while told.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(told.map(\.line) == [state.line])
    #expect(told[0].time - begin >= Limits.statusInterval)
  }

  @Loop @Test func whatReadsTheSameIsNotToldAgain() async throws {
    var state = StatusReport.State(teams: 1)
    var told: [String] = []
    var looks = 0
    let tell: @Loop (String) -> Void = { told.append($0) }
    let report = StatusReport(tell: tell)
    report.state = {
      looks += 1
      return state
    }
    _ = report.line
    state.peers = 1
    report.changed()
    state.peers = 0
    while looks < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(told.isEmpty)
    report.stop()
    state.peers = 2
    report.changed()
    #expect(told.isEmpty)
  }
}
