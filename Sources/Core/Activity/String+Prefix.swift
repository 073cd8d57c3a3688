// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Returns the longest prefix of whole characters that fits in `limit` bytes of UTF-8.
  package func prefix(utf8Count limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var count = 0
    return String(
      prefix {
        count += String($0).utf8.count; return count <= limit
      }
    )
  }
}
