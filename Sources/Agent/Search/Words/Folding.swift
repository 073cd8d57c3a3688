// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// Appends the character without case and accents.
  func fold(to output: inout [UInt8]) {
    if isASCII {
      output.append(UInt8(ascii: self).lowercased)
      return
    }
    for lower in properties.lowercaseMapping.unicodeScalars {
      if let base = MarkedLetters.bases[lower] {
        output += String(base).utf8
      } else {
        // The small letters of the capital letters are the same for ß and ss, for both forms of the small sigma, and
        // for ligatures.
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          for scalar in upper.properties.lowercaseMapping.unicodeScalars where ScalarKind(scalar) != .mark {
            output += String(MarkedLetters.bases[scalar] ?? scalar).utf8
          }
        }
      }
    }
  }
}

extension Unicode.Scalar {
  /// The character without case. This is more than one for some, as `ss` is for `ß`.
  var withoutCase: [Unicode.Scalar] {
    if isASCII { return [Unicode.Scalar(UInt8(ascii: self).lowercased)] }
    return properties.lowercaseMapping.unicodeScalars.flatMap { lower in
      lower.properties.uppercaseMapping.unicodeScalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
    }
  }

  /// The character without its accent. Nil if it is an accent.
  var withoutMark: Unicode.Scalar? {
    if isASCII { return self }
    if ScalarKind(self) == .mark { return nil }
    if let base = MarkedLetters.bases[self] { return base }
    let lower = properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let base = lower.first.flatMap({ MarkedLetters.bases[$0] }) else { return self }
    return base.properties.uppercaseMapping.unicodeScalars.first
  }
}

extension UInt8 {
  var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }

  var isASCIIWord: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
