// SPDX-License-Identifier: Apache-2.0

/// Follows in what a terminal shows whether its other screen, on which tmux draws, has been left.
package struct AlternateScreen: Sendable {
  private static let leaving = Array("\u{1B}[?1049l".utf8)
  /// xterm's title as it was before, which follows.
  private static let title = Array("\u{1B}[23;0;0t".utf8)
  private static let length = max(leaving.count, title.count)

  /// How the last two escape sequences began.
  private var (previous, last): ([UInt8], [UInt8]) = ([], [])

  package init() {}

  /// Whether no escape sequence has followed the one that leaves the other screen, or there was none at all.
  package var isLeft: Bool {
    last.isEmpty || last.starts(with: Self.leaving)
      || last.starts(with: Self.title) && previous.starts(with: Self.leaving)
  }

  package mutating func show(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      // ESC, or CSI of one byte. That is also a part of some letters: then the screen is left once more.
      if byte == 0x1B || byte == 0x9B {
        (previous, last) = (last, [byte])
      } else if !last.isEmpty, last.count < Self.length {
        last.append(byte)
      }
    }
  }
}
