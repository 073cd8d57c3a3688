// SPDX-License-Identifier: Apache-2.0

/// The size of a terminal in characters.
package struct TerminalSize: Equatable, Sendable {
  package let columns: UInt16
  package let rows: UInt16

  /// A terminal of this size takes tmux a few megabytes. No screen shows more.
  package static let range = 1...1000
  /// What a terminal has that does not know its size.
  package static let usual = TerminalSize(columns: 80, rows: 24)

  /// - Parameters: What another machine or the kernel says. What is out of range is brought into it; 0 means unknown.
  package init(columns: Int, rows: Int) {
    self.columns = Self.clamped(columns, unknown: 80)
    self.rows = Self.clamped(rows, unknown: 24)
  }

  private static func clamped(_ number: Int, unknown: UInt16) -> UInt16 {
    guard number > 0 else { return unknown }
    return UInt16(clamping: min(number, range.upperBound))
  }
}
