// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// Hears the signals of one program, as long as there are not too many. Otherwise, the bus no longer sends them to this
/// program for a while.
@Loop
final class SignalGate {
  /// How many signals of one player are heard in a row, and per second. A player that sends more is not heard for
  /// `playerSilence`, but asked after it.
  private static let playerSignals = TokenBucket.Rate(perSecond: 16, burst: 64)
  private static let playerSilence = Duration.seconds(5)

  private weak var bus: MessageBus?
  private let signals: [BusSignal]
  private let body: @Loop (BusMessage) -> Void
  private let onReopened: @Loop () -> Void
  private var matches: [MessageBus.Match] = []
  private var allowance = TokenBucket(SignalGate.playerSignals, at: Loop.now)
  private var timer: Timer?

  /// - Parameter onReopened: Called when signals may have been missed.
  init(
    _ bus: MessageBus,
    _ signals: [BusSignal],
    _ body: @escaping @Loop (BusMessage) -> Void,
    onReopened: @escaping @Loop () -> Void
  ) {
    (self.bus, self.signals, self.body, self.onReopened) = (bus, signals, body, onReopened)
    timer = Timer { [weak self] in self?.reopen() }
  }

  func open() throws(MessageBus.Failure) {
    guard let bus, matches.isEmpty else { return }
    for signal in signals { matches.append(try bus.removableMatch(signal) { [weak self] in self?.heard($0) }) }
  }

  func close() {
    timer?.set(nil)
    for match in matches { bus?.remove(match) }
    matches = []
  }

  private func heard(_ message: BusMessage) {
    // Those that were sent before the bus knew.
    guard !matches.isEmpty else { return }
    guard allowance.take(at: Loop.now) else {
      close()
      timer?.set(Loop.now + Self.playerSilence)
      return
    }
    body(message)
  }

  private func reopen() {
    allowance = TokenBucket(Self.playerSignals, at: Loop.now)
    try? open()
    onReopened()
  }
}
