// SPDX-License-Identifier: Apache-2.0

/// Comparisons of texts from elsewhere by bytes, as the programs that get them compare.
///
/// To `String`, a character is a cluster of scalars. U+0D4E and the sign after it are one, so are a sign and the
/// combining mark after it, and so are a carriage return and a newline. `hasPrefix`, `contains`, `split` and `==` see
/// no `#`, `-` or `/` there, but tmux, a shell and the kernel do. `Scripts/check-bytes` finds such uses.
extension StringProtocol where SubSequence == Substring {
  /// Whether the text begins with these bytes.
  package func starts(withBytesOf prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the text ends with these bytes.
  package func ends(withBytesOf suffix: some StringProtocol) -> Bool {
    self[...].utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Whether both texts are the same bytes. To `==`, the two ways to write `é` are the same, but they name two files.
  package func hasBytes(of other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether these bytes are somewhere in the text.
  package func containsBytes(of part: some StringProtocol) -> Bool { utf8.firstRange(ofBytes: part.utf8) != nil }

  /// Returns what follows these bytes. Nil if the text does not begin with them.
  package func rest(afterBytesOf prefix: some StringProtocol) -> Substring? {
    starts(withBytesOf: prefix) ? Substring(self[...].utf8.dropFirst(prefix.utf8.count)) : nil
  }

  /// Returns what precedes these bytes. Nil if the text does not end with them.
  package func start(beforeBytesOf suffix: some StringProtocol) -> Substring? {
    ends(withBytesOf: suffix) ? Substring(self[...].utf8.dropLast(suffix.utf8.count)) : nil
  }

  /// Returns the parts between the places where this scalar is.
  package func split(
    atScalar separator: Unicode.Scalar,
    maxSplits: Int = .max,
    omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    self[...].unicodeScalars.split(
      separator: separator,
      maxSplits: maxSplits,
      omittingEmptySubsequences: omittingEmptySubsequences
    ).map(Substring.init)
  }

  /// Returns the parts between scalars that are separators, without the empty ones.
  package func splitScalars(where isSeparator: (Unicode.Scalar) -> Bool) -> [Substring] {
    self[...].unicodeScalars.split(whereSeparator: isSeparator).map(Substring.init)
  }

  /// Returns the scalars at the beginning for which this holds.
  package func scalarPrefix(while isIncluded: (Unicode.Scalar) -> Bool) -> Substring {
    Substring(self[...].unicodeScalars.prefix(while: isIncluded))
  }

  /// Returns the text without the scalars at its beginning for which this holds.
  package func dropScalars(while isDropped: (Unicode.Scalar) -> Bool) -> Substring {
    Substring(self[...].unicodeScalars.drop(while: isDropped))
  }

  /// Returns what follows the scalar at an index of the text.
  package func rest(after index: Index) -> Substring { Substring(self[index...].unicodeScalars.dropFirst()) }
}
