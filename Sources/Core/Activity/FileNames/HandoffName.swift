// SPDX-License-Identifier: Apache-2.0

/// The name of a file that was fetched into ~/Handoff. It comes from another machine.
package struct HandoffName {
  private let name: ArrivingName

  /// The maximum length in bytes. eCryptfs allows 143, others 255.
  private static let length = 143

  /// Makes a harmless name of the last component of a path: visible, on one line, not hidden and not too long.
  package init(_ path: String) {
    let last = PathComponents.last(path) ?? ""
    let shown = VisibleText.line(String(String.UnicodeScalarView(last.unicodeScalars.filter { $0 != "\0" }))) ?? ""
    let start = shown.unicodeScalars.drop { $0 == "." || $0 == "-" || $0 == " " }
    name = ArrivingName(Array(String(start).utf8), isFolder: false, length: Self.length)
  }

  /// Returns the name for an attempt, from 1: `notes.txt`, then `notes-2.txt`.
  package func text(_ attempt: Int) -> String { String(decoding: name.attempt(attempt), as: UTF8.self) }
}
