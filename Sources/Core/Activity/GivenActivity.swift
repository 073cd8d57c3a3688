// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// An activity as a program of this machine gives it: what is only ugly in it is repaired.
package struct GivenActivity: Structure {
  package let record: ActivityRecord
  /// The members that were left out, because they are too long.
  package let omitted: [String]

  package init(from decoder: any Decoder) throws {
    let given = try ActivityRecord(unchecked: decoder)
    record = try given.repaired().validated()
    omitted = given.members(missingIn: record)
  }

  package func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}
