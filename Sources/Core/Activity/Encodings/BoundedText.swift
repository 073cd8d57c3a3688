// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A string whose length in bytes has limits.
package protocol BoundedText: MemberCoding where Value == String {
  static var lengths: ClosedRange<Int> { get }
}

extension BoundedText {
  package static func decode(_ json: JSON?) -> String? {
    json?.string.flatMap { lengths.contains($0.utf8.count) ? $0 : nil }
  }

  package static func encode(_ text: String) -> JSON? { .string(text) }
}
