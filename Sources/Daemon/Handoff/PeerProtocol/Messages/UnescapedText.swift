// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Text of visible ASCII characters, none of which JSON escapes. So a message that has such texts fits in a frame,
/// whatever they say.
package protocol UnescapedText: BoundedText {}

extension UnescapedText {
  package static func decode(_ json: JSON?) -> String? {
    guard let text = json?.string, lengths.contains(text.utf8.count), text.utf8.allSatisfy(isUnescaped) else {
      return nil
    }
    return text
  }

  private static func isUnescaped(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
