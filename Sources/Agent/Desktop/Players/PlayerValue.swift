// SPDX-License-Identifier: Apache-2.0

/// A value that a player says of itself over D-Bus. What no player needs to say is left out.
package enum PlayerValue: Equatable, Sendable {
  case text(String)
  case number(Int64)
  case real(Double)
  case boolean(Bool)
  case texts([String])
  case properties([String: PlayerValue])

  package var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  package var texts: [String]? {
    switch self {
    case .texts(let values): values
    // Some players have one artist, and say it so.
    case .text(let value): [value]
    default: nil
    }
  }

  package var properties: [String: PlayerValue]? {
    if case .properties(let values) = self { values } else { nil }
  }

  /// A number that is finite.
  package var real: Double? {
    switch self {
    case .real(let value): value.isFinite ? value : nil
    case .number(let value): Double(value)
    default: nil
    }
  }

  /// A time in microseconds, as milliseconds. Nil if nothing takes so long. mpv is a little before the start when it is
  /// paused there.
  package func milliseconds(limit: Int) -> Int? {
    guard let real, real >= -1_000_000, real / 1000 <= Double(limit) else { return nil }
    return max(0, Int(real / 1000))
  }
}
