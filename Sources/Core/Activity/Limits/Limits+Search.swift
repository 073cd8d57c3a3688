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

  /// The maximum number of entries in the index. A person who makes 100 a day has 3,000 before they expire.
  package static let indexEntries = 200_000
  /// The maximum number of entries of one app, so that one cannot use all the room.
  package static let indexEntriesPerApplication = 120_000
  /// The maximum size of the index in bytes.
  package static let indexLength = 512 * 1024 * 1024
  /// The maximum number of apps that have something in the index.
  package static let indexApplications = 1024
  /// The time in seconds after which an entry without a date of its own is deleted, if nobody uses it. Core Spotlight
  /// keeps items for a month, too.
  package static let entryAge = 30 * 24 * 60 * 60.0
  /// No entry expires while the clock is before this time, 2026-01-01 00:00:00 UTC, because then it is wrong.
  package static let earliestTime = 1_767_225_600.0
  /// The time until the old text of entries that were replaced is overwritten.
  package static let replacedTextTime = Duration.seconds(15 * 60)

  // MARK: The agent

  /// The maximum size of agent.conf in bytes.
  package static let agentFileLength = 64 * 1024
  /// How many connections the index's socket accepts. All are the user's own.
  package static let searchConnections = 256
  /// The maximum number of calls that wait for the index at the same time. Beyond that, calls are refused.
  package static let waitingIndexCalls = 1024
  /// How long a search waits for the daemon to list the offers for the first time.
  package static let firstOffersTime = Duration.milliseconds(500)

  /// How long the index's clients have to read their last replies when the agent stops.
  package static let searchStopTime = Duration.seconds(2)
  /// The time after which expired entries are looked for again.
  package static let expiryInterval = Duration.seconds(60 * 60)
  /// The number of entries in one reply of a query.
  package static let entriesPerReply = 64

  // MARK: Apps

  /// The maximum number of changes that an app keeps until the index has taken them. Beyond that, the oldest that
  /// nobody waits for is dropped.
  package static let waitingIndexChanges = 512
  /// The time after which an app that waits for the index learns that it does not answer.
  package static let indexCallTime = Duration.seconds(20)
  /// The time after which a donation that the index did not take is given up. An agent is started sooner.
  package static let donationTime = Duration.seconds(10 * 60)
  /// The time after which a change of a current activity is given to the index.
  package static let donationInterval = Duration.seconds(10)
  /// The first and the longest pause after the index did not answer.
  package static let indexBackoff = Duration.milliseconds(200)...Duration.seconds(30)

  // MARK: Searching

  /// The maximum length of what people search for, in bytes.
  package static let searchWordsLength = 512
  /// The maximum number of words that are searched for. More are ignored.
  package static let searchWords = 16
  /// The maximum number of results of one search.
  package static let searchResults = 500
  /// The number of results if nobody says how many.
  package static let usualSearchResults = 20
  /// The maximum length of an expression of `CSSearchQuery` in bytes.
  package static let searchExpressionLength = 4096
  /// The maximum nesting depth of such an expression.
  package static let searchExpressionDepth = 16
  /// The size of the entries that a query reads at a time, in bytes, as the index counts it. Each waiting query has as
  /// much in memory, and others wait while it is read.
  package static let itemPageLength = 256 * 1024
  /// The number of times of use that are kept for each entry.
  package static let usesPerEntry = 32
  /// The number of entries that are compared for suggestions: those that were used last.
  package static let suggestionCandidates = 1000
  /// The time in seconds after which a use counts half as much.
  package static let useHalfLife = 7 * 24 * 60 * 60.0

  // MARK: Opening

  /// How long an opened activity waits for its app: longer than `launchTime`, so that an app that has just been started
  /// gets it, too.
  package static let openedActivityTime = Duration.seconds(30)
  /// The maximum number of one user's opened activities that wait: as many as can be launched at the same time.
  package static let openedActivitiesPerUser = launchesPerUser

  // MARK: Sharing

  /// The maximum number of entries that one machine shares, and that others keep of it.
  package static let sharedEntries = 2000
  /// The maximum number of teams that the configuration may name: as many as one user may have.
  package static let sharingTeams = 16
  /// The maximum number of devices whose entries are kept.
  package static let sharingDevices = 64
  /// The maximum size of one message between two agents as JSON, in bytes. It fits in one frame.
  package static let indexMessageLength = 12 * 1024
  /// The maximum nesting depth of arrays and objects in such a message. Its frame has one level more.
  package static let indexMessageDepth = messageDepth - 1
  /// The rate of lines of one machine's log that are written here. Each is some 100 kB of writing, because what it
  /// replaces is overwritten. Everything that a machine shares, twice, is written as fast as it comes.
  package static let sharedLineRate = TokenBucket.Rate(perSecond: 1, burst: 4000)
  /// The rate of index messages to one peer. The 2,000 entries of a machine take some seconds, and a message takes the
  /// other side's loop less than a millisecond.
  package static let indexMessageRate = TokenBucket.Rate(perSecond: 20, burst: 20)
  /// The rate of index messages from one peer. The rest is dropped. It leaves room for messages that the network held
  /// up.
  package static let receivedIndexMessageRate = TokenBucket.Rate(perSecond: 40, burst: 60)
  /// The maximum number of index messages that wait until a session has nothing else to send. Agents have at most three
  /// in transit: `pull`, `page` and `changed`.
  package static let unsentIndexMessagesPerPeer = 4
  /// How long such a message waits at most if streams use the session all the time. So it takes little from them.
  package static let indexMessagePatience = Duration.seconds(1)
  /// The time after which it is looked again whether the session has something else to send.
  package static let indexMessageRetryTime = Duration.milliseconds(50)
  /// The maximum number of index messages from one peer that wait for an agent that does not read.
  package static let undeliveredIndexMessagesPerPeer = 4
  /// The maximum size of one line of the log as JSON, in bytes. It fits in a page.
  package static let sharedLineLength = 11 * 1024
  /// The maximum length of a description that is shared, in bytes.
  package static let sharedDescriptionLength = 512
  /// The maximum number of deletions that the log keeps.
  package static let sharedDeletions = 10_000
  /// How long the log keeps deletions, in seconds.
  package static let sharedDeletionAge = 90 * 24 * 60 * 60.0
  /// The time until what other machines have deleted is overwritten. What comes in between is overwritten with it, so a
  /// machine that deletes much costs little.
  package static let sharedErasingTime = Duration.seconds(2)
  /// The pause before the agent tries again to overwrite what was deleted, if another program was reading the file.
  package static let erasingRetryTime = Duration.seconds(5)
  /// The time after a change until the other machines are told.
  package static let sharedChangeTime = Duration.seconds(2)
}
