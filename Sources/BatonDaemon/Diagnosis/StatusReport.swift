import Activity
import ControlInterface
import EventLoop
import Systemd

/// The line that `systemctl status` shows. It is sent when it has changed, at most once per `Limits.statusInterval`.
@Loop
package final class StatusReport {
  /// What the line describes.
  package struct State: Equatable, Sendable {
    package var teams = 0
    /// The peers with a session.
    package var peers = 0
    package var discovery = GetStatus.DiscoveryState.running
    package var port: UInt16 = 0

    package init(
      teams: Int = 0,
      peers: Int = 0,
      discovery: GetStatus.DiscoveryState = .running,
      port: UInt16 = 0
    ) {
      self.teams = teams
      self.peers = peers
      self.discovery = discovery
      self.port = port
    }

    /// Describes the machine. It reveals nothing about what anyone does with it, not even as numbers, because everyone
    /// on the machine can read it.
    package var line: String {
      func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
      let discovery =
        switch discovery {
        case .running: "discovery is running"
        case .connecting: "discovery is waiting for avahi-daemon"
        case .disabled: "discovery is off"
        }
      guard teams > 0 else { return "In no team yet (baton team create, baton team join); \(discovery)" }
      return "\(count(peers, "peer")) connected; \(count(teams, "team")), TCP port \(port), \(discovery)"
    }
  }

  private let state: @Loop () -> State
  private let tell: @Loop (String) -> Void
  private var timer: Timer?
  private var told: String?
  private var nextTime: ContinuousClock.Instant?
  private var isStopped = false

  /// - Parameters:
  ///   - state: Returns the present state.
  ///   - tell: Sends a line.
  package init(
    state: @escaping @Loop () -> State,
    tell: @escaping @Loop (String) -> Void = { ServiceManager.status($0) }
  ) {
    self.state = state
    self.tell = tell
    timer = Timer { [weak self] in self?.report() }
  }

  /// Returns the present line, which the caller must send.
  package func takeLine() -> String {
    let line = state().line
    told = line
    nextTime = Loop.now + Limits.statusInterval
    return line
  }

  /// Called when something that the line describes may have changed.
  package func changed() {
    guard !isStopped, let timer, timer.deadline == nil, told != nil else { return }
    timer.set(max(Loop.now, nextTime ?? Loop.now))
  }

  /// Sends nothing more.
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
