// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terminal on standard input and output, used through escape sequences that all terminals know.
@MainActor
final class Terminal {
  /// The terminal's previous settings.
  private let settings: termios
  private var isEntered = false

  /// Nil if standard input or output is not a terminal.
  init?() {
    var settings = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    self.settings = settings
  }

  /// Takes over the screen. Keys arrive immediately and are not echoed, lines are not wrapped, and the previous screen
  /// is saved.
  func enter() {
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    isEntered = tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0
    StandardOutput.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
  }

  /// Restores the previous screen. Every way out of the program except a crash calls this.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    StandardOutput.write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// The size that the terminal reports now. 24 rows of 80 columns if it reports none.
  var size: Screen.Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return Screen.Size(rows: 24, columns: 80)
    }
    return Screen.Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  /// Redraws everything in one piece, so that it does not flicker.
  func draw(_ screen: Screen) {
    let rows = screen.rows.map { row in
      row.map { "\u{1b}[\($0.style.rendition)m\($0.text)\u{1b}[m" }.joined() + "\u{1b}[K"
    }
    StandardOutput.write("\u{1b}[H" + rows.joined(separator: "\r\n") + "\u{1b}[J")
  }
}

extension Screen.Style {
  /// The parameters of SGR.
  fileprivate var rendition: String {
    switch self {
    case .plain: "0"
    case .heading: "1"
    case .faint: "2"
    case .link: "4;36"
    case .chosen: "1;30;43"
    case .bar: "7"
    }
  }
}
