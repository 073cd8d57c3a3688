import Activity
import ControlInterface
import EventLoop
import Systemd

/// The line that `systemctl status` shows: told when it is another one, at most each `Limits.statusInterval`.
@Loop
package final class StatusReport {
  /// What the line tells of.
  package struct State: Equatable, Sendable {
    package var teams = 0
    /// Those with a session.
    package var peers = 0
    package var discovery = GetStatus.Discovery.running
    package var port: UInt16 = 0

    package init(
      teams: Int = 0,
      peers: Int = 0,
      discovery: GetStatus.Discovery = .running,
      port: UInt16 = 0
    ) {
      self.teams = teams
      self.peers = peers
      self.discovery = discovery
      self.port = port
    }

    /// What the machine is, and nothing that tells what somebody does with it, be it in numbers: everybody on it can read this.
    package var line: String {
      func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
      let discovery =
        switch discovery {
        case .running: "discovery runs"
        case .connecting: "discovery waits for avahi-daemon"
        case .disabled: "discovery is off"
        }
      guard teams > 0 else { return "In no team yet (baton team create, baton team join); \(discovery)" }
      return "\(count(peers, "peer")) connected; \(count(teams, "team")), TCP port \(port), \(discovery)"
    }
  }

  /// What is so now.
  package var state: (@Loop () -> State)?
  private let tell: @Loop (String) -> Void
  private var timer: Timer?
  private var told: String?
  private var nextTime: ContinuousClock.Instant?
  private var isStopped = false

  package init(tell: @escaping @Loop (String) -> Void = { ServiceManager.status($0) }) {
    self.tell = tell
    timer = Timer { [weak self] in self?.report() }
  }

  /// The line as it is now, which the caller tells.
  package func takeLine() -> String {
    let line = state?().line ?? ""
    told = line
    nextTime = Loop.now + Limits.statusInterval
    return line
  }

  /// Something that the line tells of may have changed.
  package func changed() {
    guard !isStopped, let timer, timer.deadline == nil, told != nil else { return }
    timer.set(max(Loop.now, nextTime ?? Loop.now))
  }

  /// Nothing is told any more.
  package func stop() {
    isStopped = true
    timer?.set(nil)
  }

  private func report() {
    let before = told
    let line = takeLine()
    if line != before { tell(line) }
  }
}
