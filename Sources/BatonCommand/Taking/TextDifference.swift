import Activity
import EventLoop

/// What `diff` says about two files.
enum TextDifference {
  private static let mostLines = 200

  /// The lines to show, without anything that a terminal obeys. Empty if the files are the same.
  static func lines(_ path: String, _ other: String) -> [String] {
    guard let output = ProgramOutput.of(["diff", "-u", "--", path, other]) else {
      return ["They cannot be compared: diff is missing."]
    }
    // A tab would not be harmless for `Printable`.
    let text = String(decoding: output, as: UTF8.self).split(atScalar: "\t", omittingEmptySubsequences: false)
    let lines = text.joined(separator: "    ").split(atScalar: "\n", omittingEmptySubsequences: false).dropLast()
    return shown(lines.map { Printable.text($0) })
  }

  static func shown(_ lines: [String]) -> [String] {
    guard lines.count > mostLines else { return lines }
    return lines.prefix(mostLines) + ["… and \(lines.count - mostLines) more lines"]
  }
}
