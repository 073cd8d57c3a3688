// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Systemd

/// The line that `systemctl status` shows. It is sent when it has changed, at most once per `statusInterval`.
@Loop
package final class StatusReport {
  /// The minimum time between two lines for `systemctl status`, because people read them.
  package nonisolated static let statusInterval = Duration.seconds(1)

  /// What the line describes.
  package struct State: Equatable, Sendable {
    package var discovery = GetStatus.DiscoveryState.running
    /// The port on which peers reach this machine; 0 if there is none.
    package var port: UInt16 = 0
    /// The configured port, if another program has it.
    package var takenPort: UInt16?

    package init(discovery: GetStatus.DiscoveryState = .running, port: UInt16 = 0, takenPort: UInt16? = nil) {
      self.discovery = discovery
      self.port = port
      self.takenPort = takenPort
    }

    /// Describes the machine, and nothing of what belongs to its users: neither their teams and peers nor how many
    /// there are, because everyone on the machine can read it.
    package var line: String {
      let discovery =
        switch discovery {
        case .running: "discovery is running"
        case .muted: "Avahi isn't announcing this machine"
        case .connecting: "discovery is waiting for avahi-daemon"
        case .disabled: "discovery is off"
        }
      let taken = takenPort.map { " because \($0) is in use" } ?? ""
      return "\(port == 0 ? "No TCP port" : "TCP port \(port)")\(taken); \(discovery)"
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
    nextTime = Loop.now + Self.statusInterval
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
