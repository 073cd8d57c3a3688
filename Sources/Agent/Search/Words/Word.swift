// SPDX-License-Identifier: Apache-2.0

/// One word of a text, as the index keeps it.
package struct Word: Hashable, Sendable {
  /// The word in UTF-8, without case and accents.
  package let folded: [UInt8]
  /// Where it is in the text, in bytes.
  package let range: Range<Int>
  /// Whether it is a part of a text without spaces. Such a part also is the beginning of the next one, or the last.
  package let isCharacter: Bool

  package init(folded: [UInt8], range: Range<Int>, isCharacter: Bool = false) {
    self.folded = folded
    self.range = range
    self.isCharacter = isCharacter
  }

  /// The maximum length of a word in bytes. The rest of a longer one is neither kept nor compared.
  package static let maximumLength = 64
}
