// SPDX-License-Identifier: Apache-2.0

import Activity

/// When an entry was used: the last times, in seconds since 1970, in ascending order.
package struct UseHistory: Equatable, Sendable {
  /// The number of times of use that are kept for each entry.
  private static let usesPerEntry = 32

  package private(set) var times: [Double]

  package init(times: [Double] = []) {
    self.times = Array(times.filter(\.isFinite).sorted().suffix(Self.usesPerEntry))
  }

  package mutating func add(_ time: Double) { self = UseHistory(times: times + [time]) }

  /// How likely the entry is to be next: the sum of its uses. Each counts half as much after `Limits.useHalfLife`, and
  /// up to three times as much if it was at this time of the day.
  ///
  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - utcOffset: The difference between local time and UTC, in seconds.
  package func likelihood(now: Double, utcOffset: Double) -> Double {
    let hour = Self.hour(now + utcOffset)
    return times.reduce(0) { sum, time in
      let age = max(now - time, 0) / Limits.useHalfLife
      let difference = abs(hour - Self.hour(time + utcOffset))
      let distance = min(difference, 24 - difference)
      // About an hour and a half away from the usual time, half of the gain is left.
      let closeness = 1 / (1 + (distance / 1.5) * (distance / 1.5))
      return sum + Self.halved(age) * (1 + 2 * closeness)
    }
  }

  /// The hour of the day, with its fraction.
  private static func hour(_ time: Double) -> Double {
    let day = 24 * 60 * 60.0
    let seconds = time.truncatingRemainder(dividingBy: day)
    return (seconds < 0 ? seconds + day : seconds) / 3600
  }
}

/// How much an entry has been used, so that values of different times can be compared: the logarithm of the sum of its
/// uses, of which newer ones count more.
package struct Heat: Equatable, Sendable {
  package let value: Double

  package init(value: Double) { self.value = value }

  /// One use.
  package init(usedAt time: Double) { value = time / Limits.useHalfLife }

  package func adding(useAt time: Double) -> Heat {
    let other = time / Limits.useHalfLife
    let (low, high) = (min(value, other), max(value, other))
    return Heat(value: high + log2(1 + UseHistory.halved(high - low)))
  }

  /// How many uses at this moment would count as much.
  package func uses(now: Double) -> Double { 1 / UseHistory.halved(value - now / Limits.useHalfLife) }
}

extension UseHistory {
  /// 2 to the power of -`count`, without overflow.
  static func halved(_ count: Double) -> Double {
    let count = min(max(count, -60), 60)
    let whole = count.rounded(.down)
    // e to the power of -x, with x from 0 to 0.7: the first terms of the series.
    let x = (count - whole) * 0.693_147_180_56
    let power = 1 - x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6 * (1 - x / 7))))))
    return Double(sign: .plus, exponent: -Int(whole), significand: power)
  }
}

/// The binary logarithm of a number from 1 to 2. Pure targets have no library for that.
private func log2(_ value: Double) -> Double {
  // The first terms of the series of the area tangent.
  let z = (value - 1) / (value + 1)
  let square = z * z
  return 2 * z * (1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9)))) / 0.693_147_180_56
}
