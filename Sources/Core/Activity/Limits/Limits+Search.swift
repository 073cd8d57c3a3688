// SPDX-License-Identifier: Apache-2.0

/// The limits of the search index.
extension Limits {
  // MARK: One entry

  /// The maximum length of the name of an app, in bytes: that of a file name.
  package static let applicationNameLength = 255
  /// The maximum length of the identifier of an entry, of a domain and of an app's index, in bytes. Apps use URLs and
  /// paths.
  package static let entryIdentifierLength = 1024
  /// The maximum number of keywords of one entry.
  package static let keywords = 64
  /// The maximum length of one keyword in bytes.
  package static let keywordLength = 128
  /// The maximum length of an entry's description in bytes.
  package static let entryDescriptionLength = 4096
  /// The maximum length of an entry's text in bytes. With all other parts, it fits in one message.
  package static let entryTextLength = 16 * 1024
  /// The maximum size of an entry's other attributes as JSON, in bytes.
  package static let entryAttributesLength = 8 * 1024
  /// The maximum size of a thumbnail in bytes: an image of 128 × 128 pixels as PNG. In base 64, it takes a third more.
  package static let thumbnailLength = 24 * 1024
  /// The maximum size of a whole entry as JSON, in bytes.
  package static let entryLength = 56 * 1024
  /// The maximum number of entries in one message.
  package static let entriesPerCall = 256
  /// The maximum length of what an app keeps about its progress, in bytes: Apple's limit.
  package static let clientStateLength = 250

  // MARK: The index

  /// The time in seconds after which an entry without a date of its own is deleted, if nobody uses it. Core Spotlight
  /// also keeps items for a month.
  package static let entryAge = 30 * 24 * 60 * 60.0
  /// No entry expires while the clock is before this time, 2026-01-01 00:00:00 UTC, because then it is wrong.
  package static let earliestTime = 1_767_225_600.0
  /// The time until the old text of entries that were replaced is overwritten.
  package static let replacedTextTime = Duration.seconds(15 * 60)

  // MARK: The agent

  /// The maximum size of agent.conf in bytes.
  package static let agentFileLength = 64 * 1024
  /// The maximum number of calls that wait for the index at the same time. Beyond that, calls are refused.
  package static let waitingIndexCalls = 1024

  /// The time after which expired entries are looked for again.
  package static let expiryInterval = Duration.seconds(60 * 60)

  // MARK: Searching

  /// The maximum length of what people search for, in bytes.
  package static let searchWordsLength = 512
  /// The maximum number of results of one search.
  package static let searchResults = 500
  /// The default number of results.
  package static let usualSearchResults = 20
  /// The time in seconds after which a use counts half as much.
  package static let useHalfLife = 7 * 24 * 60 * 60.0

  // MARK: Sharing

  /// The maximum size of one message between two agents as JSON, in bytes. It fits in one frame.
  package static let indexMessageLength = 12 * 1024
  /// The maximum nesting depth of arrays and objects in such a message. Its frame has one level more.
  package static let indexMessageDepth = messageDepth - 1
  /// The maximum number of index messages that wait until a session has nothing else to send. Agents have at most three
  /// in transit: `pull`, `page` and `changed`.
  package static let unsentIndexMessagesPerPeer = 4
  /// The maximum number of index messages from one peer that wait for an agent that does not read.
  package static let undeliveredIndexMessagesPerPeer = 4
  /// The time until what other machines have deleted is overwritten. Later deletions are overwritten together with it,
  /// so a machine that deletes a lot costs little.
  package static let sharedErasingTime = Duration.seconds(2)
  /// The pause before the agent tries again to overwrite what was deleted, if another program was reading the file.
  package static let erasingRetryTime = Duration.seconds(5)
}
