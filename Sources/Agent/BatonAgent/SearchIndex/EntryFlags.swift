// SPDX-License-Identifier: Apache-2.0

import Search

/// What an entry is eligible for, and what it is like, as a number in the database.
struct EntryFlags: OptionSet {
  let rawValue: Int

  static let isSearchable = EntryFlags(rawValue: 1)
  static let isPublic = EntryFlags(rawValue: 2)
  /// The index of the tables has this number, too.
  static let isPredicted = EntryFlags(rawValue: 4)
  /// It has an expiration date of its own.
  static let hasDate = EntryFlags(rawValue: 8)
  /// It stays when the item that it shows is deleted.
  static let isWeaklyRelated = EntryFlags(rawValue: 16)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ entry: SavedEntry) {
    self = []
    if entry.isSearchable { insert(.isSearchable) }
    if entry.isEligibleForPublicIndexing { insert(.isPublic) }
    if entry.isEligibleForPrediction { insert(.isPredicted) }
    if entry.expirationDate != nil { insert(.hasDate) }
    if entry.isWeaklyRelated { insert(.isWeaklyRelated) }
  }
}
