// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop

/// Gives one answer: the first, or no if none comes in time.
@Loop
final class Answer {
  /// How long the comparison of two machines' copies may take.
  private static let comparisonTime = Duration.seconds(2)

  private var completion: (@Loop (Bool) -> Void)?
  private var timer: Timer?

  init(_ completion: @escaping @Loop (Bool) -> Void) {
    self.completion = completion
    timer = Timer { [weak self] in self?.give(false) }
    timer?.set(Loop.now + Self.comparisonTime)
  }

  func give(_ isYes: Bool) {
    timer?.set(nil)
    let completion = completion
    self.completion = nil
    completion?(isYes)
  }
}
