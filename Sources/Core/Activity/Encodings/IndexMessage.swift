// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A message from one agent to another about the search index: an object of limited size and depth. Only agents know
/// its members (SearchIndex.md).
package enum IndexMessage: MemberCoding {
  package static func decode(_ json: JSON?) -> JSON? {
    guard let json, json.object != nil, json.isNested(within: Limits.indexMessageDepth),
      json.isShorter(than: Limits.indexMessageLength + 1), json.bytes.count <= Limits.indexMessageLength
    else { return nil }
    return json
  }

  package static func encode(_ message: JSON) -> JSON? { message }
}
