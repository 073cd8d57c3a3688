// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// One player on the bus, and when it is asked next.
@Loop
final class WatchedPlayer {
  let name: String
  /// The unique name of its program.
  let owner: String
  var desktopEntry: String?
  private let ask: @Loop () -> Void
  private var gate: SignalGate?
  private var timer: Timer?
  private var allowance: TokenBucket
  private var isAsked = false
  /// Whether something has changed since the last question.
  private var isDue = false

  init(_ name: String, owner: String, _ questions: TokenBucket.Rate, ask: @escaping @Loop () -> Void) {
    (self.name, self.owner, self.ask) = (name, owner, ask)
    allowance = TokenBucket(questions, at: Loop.now)
    timer = Timer { [weak self] in self?.proceed() }
  }

  func watch(_ bus: MessageBus) {
    let properties: KeyValuePairs = ["path": PlayerBus.path, "arg0": PlayerBus.player]
    let signals = [
      BusSignal(from: owner, "org.freedesktop.DBus.Properties", "PropertiesChanged", properties),
      BusSignal(from: owner, PlayerBus.player, "Seeked", ["path": PlayerBus.path]),
    ]
    let gate = SignalGate(bus, signals) { [weak self] _ in
      self?.changed()
    } onReopened: { [weak self] in
      self?.changed()
    }
    self.gate = gate
    try? gate.open()
  }

  func close() {
    timer?.set(nil)
    gate?.close()
    gate = nil
  }

  /// It must be asked, now or when that is allowed.
  func changed() {
    isDue = true
    proceed()
  }

  func wasAnswered() {
    isAsked = false
    proceed()
  }

  private func proceed() {
    guard isDue, !isAsked, gate != nil else { return }
    guard allowance.take(at: Loop.now) else {
      timer?.set(allowance.ready(at: Loop.now))
      return
    }
    (isDue, isAsked) = (false, true)
    ask()
  }
}
