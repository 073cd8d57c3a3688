/// The command does not understand the command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  /// - Parameter hint: The command that explains more.
  init(_ message: String, hint: String? = nil) {
    description = hint.map { "\(message)\nTry `\($0)`." } ?? message
  }

  /// - Parameter known: The valid words, of which the most similar one is suggested.
  static func unknown(_ kind: String, _ word: String, after verb: String?, known: [String]) -> UsageError {
    let place = verb.map { " of `baton \($0)`" } ?? ""
    let nearest = known.min { distance(word, $0) < distance(word, $1) }
    let suggestion = nearest.flatMap { distance(word, $0) <= max(1, word.count / 3) ? " Did you mean \($0)?" : nil }
    let hint = ["baton", verb, "--help"].compactMap(\.self).joined(separator: " ")
    return UsageError("\(word) is no \(kind)\(place).\(suggestion ?? "")", hint: hint)
  }

  /// How many characters must be inserted, removed or changed to turn one text into the other (Levenshtein distance).
  static func distance(_ left: String, _ right: String) -> Int {
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
