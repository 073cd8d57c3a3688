// SPDX-License-Identifier: Apache-2.0

import Activity

/// What other machines say about a terminal, before it gets near tmux, which expands `#{…}` in many arguments, and
/// splits targets at `:` and `.`.
package enum TerminalText {
  private static let nameLength = 64
  package static let layoutLength = 2048

  /// Returns a name for a session or a window; nil if nothing of it can be used.
  package static func name(_ text: String?) -> String? {
    guard let text else { return nil }
    // By scalars, because tmux reads bytes: U+0D4E and the `#` after it are one `Character`.
    let named = text.unicodeScalars.prefix(nameLength).filter(isNamed)
    // An option begins with `-`; tmux gives the others a meaning of their own. What nobody sees comes first in no name.
    let plain = named.drop { " -=$@%~!+^{".unicodeScalars.contains($0) || !VisibleText.isVisible(String($0)) }
    return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
  }

  private static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
    !"#:.%\\\"'`;".unicodeScalars.contains(scalar) && Printable.isPlain(String(scalar))
  }

  /// Returns an arrangement of panes in the form that tmux writes; nil if it is not one.
  package static func layout(_ text: String?) -> String? {
    guard let text, (6...layoutLength).contains(text.utf8.count) else { return nil }
    let sum = text.utf8.prefix { $0 != UInt8(ascii: ",") }
    let rest = text.utf8.dropFirst(sum.count + 1)
    guard sum.count == 4, sum.allSatisfy(isHexadecimal), hasSizes(rest) else { return nil }
    return text
  }

  /// Whether these are panes whose sizes and places are those of a terminal: tmux takes memory for each line and column
  /// that they name.
  ///
  /// - Parameter text: `WIDTHxHEIGHT,X,Y`, and then `,ID` or more of these in brackets.
  private static func hasSizes(_ text: Substring.UTF8View) -> Bool {
    // The number of the numbers of this pane. The fifth is its ID.
    // Checked place: at most 6.
    var place = 0
    var rest = text
    while !rest.isEmpty {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      place = rest.first == UInt8(ascii: "x") ? 1 : place == 0 ? 6 : place + 1
      guard (1...6).contains(digits.count), let number = Int(String(Substring(digits))) else { return false }
      switch place {
      case 1, 2: guard TerminalSize.range.contains(number) else { return false }
      case 3, 4: guard number <= TerminalSize.range.upperBound else { return false }
      case 5: break
      default: return false
      }
      let signs = rest.prefix { !isDigit($0) }
      guard signs.allSatisfy({ "x,[]{}".utf8.contains($0) }) else { return false }
      rest = rest.dropFirst(signs.count)
    }
    return place >= 4
  }

  /// Whether a terminal of this type can be looked up: the name is the name of a file.
  package static func isTerminalType(_ text: String) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= nameLength else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "._+-".utf8.contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
