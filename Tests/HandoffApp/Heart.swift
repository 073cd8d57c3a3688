// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Beats on the main run loop, and measures the longest pause between two beats.
@MainActor
final class Heart {
  private static let interval = 0.005

  private var last = ProcessInfo.processInfo.systemUptime
  private var longest = 0.0
  private var timer: Timer?

  init() {
    let timer = Timer(timeInterval: Self.interval, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated { self?.beat() }
    }
    self.timer = timer
    RunLoop.main.add(timer, forMode: .common)
  }

  /// Returns the longest pause so far in milliseconds, and starts the measurement again.
  func takeLongestPause() -> Int {
    beat()
    defer { longest = 0 }
    return Int(longest * 1000)
  }

  private func beat() {
    let now = ProcessInfo.processInfo.systemUptime
    longest = max(longest, now - last)
    last = now
  }
}
