// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes

/// What the receiver itself writes to its terminal.
enum TerminalScreen {
  /// Cancels a sequence that was cut off.
  private static let cancel: [UInt8] = [0x18]

  /// Undoes what programs switch on, without moving the cursor: keys with modifiers, colours, mouse reports, pasting in
  /// brackets, focus reports, application keys, insertion, another set of characters, margins, a hidden cursor or one
  /// of another shape.
  static let modes: [UInt8] =
    cancel
    + Array(
      ("\u{1B}[>4m\u{1B}[0m\u{1B}[?9l\u{1B}[?1000l\u{1B}[?1001l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1005l\u{1B}[?1006l"
        + "\u{1B}[?1015l\u{1B}[?1016l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1l\u{1B}>\u{1B}[4l\u{0F}\u{1B}(B"
        + "\u{1B}7\u{1B}[?6l\u{1B}[?69l\u{1B}[r\u{1B}8\u{1B}[?7h\u{1B}[0 q\u{1B}[?25h").utf8
    )

  /// Ctrl-C is a byte again, and lines have the whole width of the terminal.
  static let plainKeys = cancel + Array("\u{1B}[>4m\u{1B}[?69l".utf8)

  /// Leaves the other screen.
  static let leave = Array("\u{1B}[?1049l\r\u{1B}[K".utf8)

  /// Returns the bytes that show a text in the last line; nothing else of the screen changes.
  static func notice(_ text: String, _ size: TerminalSize) -> [UInt8] {
    let short = String(text.prefix(max(0, Int(size.columns) - 1)))
    return cancel + Array("\u{1B}[0m\u{1B}[\(size.rows);1H\u{1B}[7m\(short)\u{1B}[0m\u{1B}[K".utf8)
  }
}
