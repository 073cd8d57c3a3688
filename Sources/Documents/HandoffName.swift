import Activity

/// The name of a file that was fetched into ~/Handoff. It comes from another machine.
package struct HandoffName: Equatable, Sendable {
  private let stem: String
  /// With its dot. Empty if there is none.
  private let suffix: String

  /// The maximum length in bytes. eCryptfs allows 143, others 255; the rest is for a suffix and a number.
  private static let length = 110

  /// Makes a harmless name of the last component of a path: visible, on one line, not hidden and not too long.
  package init(_ path: String) {
    let last = PathComponents.last(path) ?? ""
    let shown = VisibleText.line(String(String.UnicodeScalarView(last.unicodeScalars.filter { $0 != "\0" }))) ?? ""
    let start = String(String.UnicodeScalarView(shown.unicodeScalars.drop { $0 == "." || $0 == "-" || $0 == " " }))
    let name = ArrivingName.harmless(Array(start.utf8))
    let end = NameSuffix.start(in: name)
    suffix = String(decoding: name[end...], as: UTF8.self)
    let stem = String(decoding: name[..<end], as: UTF8.self).prefix(utf8Count: Self.length)
    self.stem = stem.isEmpty ? ArrivingName.none : stem
  }

  /// Returns the name for an attempt, from 1: `notes.txt`, then `notes-2.txt`.
  package func text(_ attempt: Int) -> String { attempt <= 1 ? stem + suffix : "\(stem)-\(attempt)\(suffix)" }
}
