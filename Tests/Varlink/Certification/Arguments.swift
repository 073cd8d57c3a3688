// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Varlink

/// Parameters that are taken as they are, because the certification compares whole messages.
struct Arguments: Structure {
  let members: [String: JSON]

  init(_ members: [String: JSON]) { self.members = members }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue _: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    var members: [String: JSON] = [:]
    for name in container.allKeys {
      members[name.stringValue] = try container.decodeIfPresent(JSON.self, forKey: name)
    }
    self.members = members
  }

  func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}
