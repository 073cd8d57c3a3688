// SPDX-License-Identifier: Apache-2.0

/// Looks for parts of words in files, even if the words are not there as a whole.
struct Secrets {
  /// Each part of this number of bytes counts.
  private static let length = 6

  private static func parts(_ text: String) -> [UInt64] {
    let bytes = Array(text.utf8)
    guard bytes.count >= length else { return [] }
    return (0...(bytes.count - length)).map { start in
      bytes[start..<start + length].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private static func hash(_ part: UInt64) -> Int { Int(truncatingIfNeeded: (part ^ part >> 15 ^ part >> 29) & 0xFFFF) }

  /// Returns the words of which a part is in the bytes, except for parts of words that may be there.
  static func find(_ words: Set<String>, except allowed: Set<String>, in bytes: [UInt8]) -> Set<String> {
    var wordsOfParts: [UInt64: String] = [:]
    for word in words { for part in parts(word) { wordsOfParts[part] = word } }
    for word in allowed { for part in parts(word) { wordsOfParts[part] = nil } }
    // Most parts of the files are none of these.
    var isPossible = [Bool](repeating: false, count: 1 << 16)
    for part in wordsOfParts.keys { isPossible[Self.hash(part)] = true }
    var found: Set<String> = []
    var part: UInt64 = 0
    bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        part = (part << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
        if byte != 0, isPossible[Self.hash(part)], let word = wordsOfParts[part] { found.insert(word) }
      }
    }
    return found
  }
}
