// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop

/// The current offers of the other machines. Until the daemon has listed them for the first time, whoever asks waits a
/// moment: a search can be what starts the agent.
@Loop
final class CurrentOffers {
  /// How long a search waits for the daemon to list the offers for the first time.
  nonisolated static let firstOffersTime = Duration.milliseconds(500)

  private var offers: [ControlOffer]?
  private var waiting: [@Loop ([ControlOffer]) -> Void] = []
  private var timer: Timer?

  init() {
    // There is no daemon, or it has trouble.
    timer = Timer { [weak self] in self?.change(to: []) }
  }

  /// Answers those who wait.
  func stop() { change(to: offers ?? []) }

  func change(to offers: [ControlOffer]) {
    timer?.set(nil)
    self.offers = offers
    let answered = waiting
    waiting = []
    for body in answered { body(offers) }
  }

  /// - Parameter body: Called once, maybe before this returns.
  func get(_ body: @escaping @Loop ([ControlOffer]) -> Void) {
    if let offers { return body(offers) }
    guard waiting.count < Limits.waitingIndexCalls else { return body([]) }
    if waiting.isEmpty { timer?.set(Loop.now + Self.firstOffersTime) }
    waiting.append(body)
  }
}
