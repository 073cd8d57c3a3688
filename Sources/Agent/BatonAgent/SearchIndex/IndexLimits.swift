// SPDX-License-Identifier: Apache-2.0

/// How much an index keeps. Tests use smaller numbers.
package struct IndexLimits: Equatable, Sendable {
  /// The maximum number of entries in the index. A person who makes 100 a day has 3,000 before they expire.
  private static let indexEntries = 200_000
  /// The maximum number of entries of one app, so that one cannot use all the room.
  private static let indexEntriesPerApplication = 120_000
  /// The maximum size of the index in bytes.
  private static let indexLength = 512 * 1024 * 1024
  /// The maximum number of apps that have something in the index.
  private static let indexApplications = 1024
  /// The maximum number of entries that one machine shares, and that others keep of it.
  private static let sharedEntries = 2000
  /// The maximum number of deletions that the log keeps.
  private static let sharedDeletions = 10_000

  package var entries = Self.indexEntries
  package var entriesPerApplication = Self.indexEntriesPerApplication
  /// The size of all entries together in bytes, as ``EntryRow`` estimates it.
  package var length = Self.indexLength
  package var applications = Self.indexApplications
  /// The maximum number of entries in one table of the full-text index. To erase a word, its table is written again,
  /// which takes about 30 ms. A search asks all tables.
  package var entriesPerShard = 4096
  /// The maximum length of the words of one such table in bytes.
  package var shardLength = 2 * 1024 * 1024

  /// How many entries this machine shares and keeps of each other machine, and how many deletions its log has.
  package var sharedEntries = Self.sharedEntries
  package var sharedDeletions = Self.sharedDeletions

  package init() {}
}
