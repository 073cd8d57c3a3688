// SPDX-License-Identifier: Apache-2.0

/// A file or folder that is left out because a limit was reached; perhaps the first of several.
package struct LeftOut: Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// The limit: part of a sentence, for people.
  package let limit: String

  package init(path: String, limit: String) {
    self.path = path
    self.limit = limit
  }

  package var description: String { "\(path) or part of it, and perhaps others, are ignored, because \(limit)" }
}
