import Activity
import Localization

/// The program does not understand its command line.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String
  /// The daemon's name for what is wrong, if it has one.
  package let reason: Reason?

  /// - Parameter hint: The command that explains more.
  package init(_ message: String, hint: String? = nil, reason: Reason? = nil) {
    description = hint.map { [message, localized("Try '\($0)'.")].joined(separator: "\n") } ?? message
    self.reason = reason
  }

  /// An unknown word.
  ///
  /// - Parameters:
  ///   - kind: What the word should have been: "command", "option".
  ///   - known: The valid words, of which the most similar one is suggested.
  package static func unknown(_ kind: String, _ word: String, known: [String], hint: String) -> UsageError {
    let nearest = known.min { distance(word, $0) < distance(word, $1) }
    let suggestion = nearest.flatMap { nearest in
      distance(word, nearest) <= max(1, word.count / 3) ? localized("Did you mean '\(nearest)'?") : nil
    }
    let message =
      switch kind {
      case "command": localized("Unknown command '\(word)'.")
      case "option": localized("Unknown option '\(word)'.")
      default: localized("Unknown \(kind) '\(word)'.")
      }
    return UsageError([message, suggestion].compactMap(\.self).joined(separator: " "), hint: hint)
  }

  /// How many characters must be inserted, removed or changed to turn one text into the other (Levenshtein distance).
  package static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.prefix(64))
    var row = Array(0...right.count)
    for (i, character) in left.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in right.indices {
        let cost = min(diagonal + (character == right[j] ? 0 : 1), row[j] + 1, row[j + 1] + 1)
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }
}
