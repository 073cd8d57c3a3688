// SPDX-License-Identifier: Apache-2.0

import Activity

extension TransferTable {
  /// What is known of one ID.
  struct Row: Sendable {
    struct Pause: Sendable {
      /// Nil while it is tried again.
      var until: Double?
      let length: Double
    }

    var transfer: Transfer?
    /// The generation of the offer that an attempt runs for, from the effect until it has ended; 0 if it is sent.
    var attempt: Int?
    /// Sending: whether its activity is sent.
    var isOffered = false
    /// What another machine offers.
    var offer: Offer? { didSet { if offer == nil { isIgnored = false } } }
    /// Whether it was forgotten and is still offered.
    var isIgnored = false
    /// Receiving: when to try again what broke, and how long the pause was. An offer that appears again ends it.
    var pause: Pause?

    /// Whether nothing can come of it. An attempt always has a transfer.
    var isEmpty: Bool { transfer == nil && offer == nil && !isOffered && pause?.until == nil }

    mutating func pause(at date: Double) {
      let length = min((pause?.length ?? 0.5) * 2, Limits.longestTransferPause)
      pause = Pause(until: date + length, length: length)
    }

    /// If the clock was set back, the pause is over, too.
    func isPauseOver(at date: Double) -> Bool {
      guard let pause, let until = pause.until else { return false }
      return until <= date || until - date > pause.length
    }
  }
}
