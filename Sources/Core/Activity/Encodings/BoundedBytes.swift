// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Bytes in base 64 whose number has limits.
package protocol BoundedBytes: MemberCoding where Value == [UInt8] {
  static var lengths: ClosedRange<Int> { get }
}

extension BoundedBytes {
  package static func decode(_ json: JSON?) -> [UInt8]? {
    json?.string.flatMap(Base64.decode).flatMap { lengths.contains($0.count) ? $0 : nil }
  }

  package static func encode(_ bytes: [UInt8]) -> JSON? { .string(Base64.encode(bytes)) }
}
