import Activity

/// How much an index keeps. Tests use smaller numbers.
package struct IndexLimits: Equatable, Sendable {
  package var entries = Limits.indexEntries
  package var entriesPerApplication = Limits.indexEntriesPerApplication
  /// The size of all entries together in bytes, as ``EntryRow`` estimates it.
  package var length = Limits.indexLength
  package var applications = Limits.indexApplications
  /// The maximum number of entries in one table of the full-text index. To erase a word, its table is written again,
  /// which takes about 30 ms. A search asks all tables.
  package var entriesPerShard = 4096
  /// The maximum length of the words of one such table in bytes.
  package var shardLength = 2 * 1024 * 1024

  /// How many entries this machine shares and keeps of each other machine, and how many deletions its log has.
  package var sharedEntries = Limits.sharedEntries
  package var sharedDeletions = Limits.sharedDeletions

  package init() {}
}
