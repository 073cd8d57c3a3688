// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Text whose lines fit into a terminal, which would break them within words.
enum WrappedText {
  /// The width of the terminal on standard error; nil if it isn't one or doesn't tell.
  static var columns: Int? {
    var window = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Int(window.ws_col)
  }

  /// Breaks lines at spaces. What is carried over gets the line's indentation. A word that is too long stays whole.
  static func text(_ text: String, columns: Int?) -> String {
    guard let columns else { return text }
    return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { bytes in
      let line = Substring(bytes)
      return line.count <= columns ? String(line) : wrapped(line, columns)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, _ columns: Int) -> String {
    let indentation = String(repeating: " ", count: line.utf8.prefix { $0 == UInt8(ascii: " ") }.count)
    var lines: [String] = []
    var current = indentation
    let words = line.utf8.dropFirst(indentation.count)
      .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Substring($0) }
    for word in words {
      if current.count == indentation.count {
        current += word
      } else if current.count + 1 + word.count <= columns {
        current += " " + word
      } else {
        lines.append(current)
        current = indentation + word
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }
}

extension Output {
  /// Tells people something, in lines that fit into their terminal.
  func paragraph(_ text: String) { note(WrappedText.text(text, columns: WrappedText.columns)) }
}
