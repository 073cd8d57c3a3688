// SPDX-License-Identifier: Apache-2.0

/// What a character is to a search.
enum ScalarKind {
  /// Part of a word.
  case letter
  /// An accent or the like, which makes no difference.
  case mark
  /// A character of a script without spaces between words.
  case character
  /// A word of its own, such as an emoji.
  case symbol
  /// Everything else separates words.
  case separator

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if Self.unspaced.contains(where: { $0.contains(value) }) {
      self = scalar.properties.isAlphabetic || scalar.properties.generalCategory.isMark ? .character : .separator
    } else if Self.marks.contains(where: { $0.contains(value) }) {
      self = .mark
    } else {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .privateUse:
        self = .letter
      case .otherSymbol: self = .symbol
      default: self = .separator
      }
    }
  }

  /// Thai, Lao, Myanmar, Khmer; kana; Chinese characters; kana of half the width; more Chinese characters.
  private static let unspaced: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x30FF, 0x31F0...0x31FF,
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B16F, 0x20000...0x3FFFD,
  ]

  /// Accents, and points of Hebrew and Arabic; the selectors of emoji.
  private static let marks: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05BD, 0x05BF...0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5,
    0x05C7...0x05C7, 0x0610...0x061A, 0x0640...0x0640, 0x064B...0x065F, 0x0670...0x0670, 0x06D6...0x06DC,
    0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
  ]
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark }
}
