// SPDX-License-Identifier: Apache-2.0

/// Names an entry of an index for other programs.
package struct EntryReference: Hashable, Sendable, CustomStringConvertible {
  /// Of the index. So an entry of an index that was moved aside is not found in the next one.
  package let generation: String
  package let id: Int

  package init(generation: String, id: Int) {
    self.generation = generation
    self.id = id
  }

  /// Nil if the text names no entry.
  package init?(_ text: String) {
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), let id = Int(text[text.utf8.index(after: dot)...]),
      id > 0
    else { return nil }
    self.init(generation: String(text[..<dot]), id: id)
  }

  package var description: String { "\(generation).\(id)" }
}
