// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == UInt8 {
  /// Returns the first place where these bytes are. Nil if there is none. Bytes that are empty are at the start.
  ///
  /// The library's `firstRange(of:)` would bring Swift's regular expressions into each program: 1.3 MB.
  package func firstRange(ofBytes part: some Collection<UInt8>) -> Range<Index>? {
    var begin = startIndex
    while true {
      let rest = self[begin...]
      if rest.starts(with: part) { return begin..<index(begin, offsetBy: part.count) }
      guard begin != endIndex else { return nil }
      formIndex(after: &begin)
    }
  }
}
