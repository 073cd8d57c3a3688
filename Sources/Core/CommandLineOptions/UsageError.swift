// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// The program does not understand its command line.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String
  /// The daemon's name for what is wrong, if it has one.
  package let reason: Reason?

  /// - Parameter hint: The command that explains more.
  package init(_ message: String, hint: String? = nil, reason: Reason? = nil) {
    description = hint.map { message + "\n" + localized("Try '\($0)'.") } ?? message
    self.reason = reason
  }

  /// An unknown word.
  ///
  /// - Parameters:
  ///   - message: The sentence that names the word.
  ///   - known: The valid words, of which the most similar one is suggested.
  package static func unknown(_ message: String, _ word: String, known: [String], hint: String) -> UsageError {
    let nearest = known.min { distance(word, $0) < distance(word, $1) }
    guard let nearest, distance(word, nearest) <= max(1, word.count / 3) else { return UsageError(message, hint: hint) }
    return UsageError(message + " " + localized("Did you mean '\(nearest)'?"), hint: hint)
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
