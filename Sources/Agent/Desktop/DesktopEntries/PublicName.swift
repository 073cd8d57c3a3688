// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which host names are names of the public DNS.
enum PublicName {
  /// Names that are private or belong to nobody: those in RFC 6761, 6762 (with its appendix G), 7686, 8375 and 9476,
  /// those that ICANN reserves, and `arpa` (for numbers).
  private static let reserved: Set<Substring> = [
    "alt", "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
    "localhost", "mail", "onion", "private", "test",
  ]

  /// - Parameter text: In lowercase.
  /// - Returns: Whether the text has at least two labels of letters, digits and `-` (IDNs in their ASCII form). The
  ///   last label must begin with a letter, as no number does, and must not be reserved.
  static func contains(_ text: String) -> Bool {
    guard text.utf8.count <= 253 else { return false }
    let labels = text.split(atScalar: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, labels.allSatisfy(isLabel), let last = labels.last, let first = last.utf8.first else {
      return false
    }
    return last.utf8.count >= 2 && isLetter(first) && !reserved.contains(last)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    let bytes = label.utf8
    return !bytes.isEmpty && bytes.count <= 63 && bytes.first != UInt8(ascii: "-") && bytes.last != UInt8(ascii: "-")
      && bytes.allSatisfy { byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
