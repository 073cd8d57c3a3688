/// A file or folder, the first of perhaps several, that is left out because a limit was reached.
package struct LeftOut: Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// Which: a part of a sentence, for people.
  package let limit: String

  package init(path: String, limit: String) {
    self.path = path
    self.limit = limit
  }

  package var description: String { "\(path) is left out, or some of what it says, as may others be: \(limit)" }
}
