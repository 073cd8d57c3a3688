/// The limits of what this machine does for its programs.
extension Limits {
  // MARK: The control socket

  /// The maximum number of activity types that one program may register. An app has a few.
  package static let applicationTypes = 64
  /// The maximum number of activity types that a launcher may register, those of all installed apps. At 128 bytes each,
  /// they fit in one message.
  package static let launcherTypes = 480
  /// The maximum number of one user's offers for which apps are being started at the same time.
  package static let launchesPerUser = 16
  /// The time from asking the launcher for an app until that app has registered its type. Large apps start faster than
  /// that even from slow disks.
  package static let launchTime = Duration.seconds(20)
  /// The maximum length of an activation token in bytes. The tokens of Wayland compositors and the startup IDs of X11
  /// are shorter than 200.
  package static let activationTokenLength = 512

  /// The maximum length of one Varlink message without its NUL, in bytes: about 20 times the largest `userInfo`.
  package static let varlinkMessageLength = 64 * 1024
  /// The same for what the agent is sent: the names of some thousand files.
  package static let agentMessageLength = 1024 * 1024
  /// The maximum nesting depth of arrays and objects in a Varlink message: a `userInfo` and what contains it.
  package static let varlinkDepth = 16
  /// How users share the connections to the control socket. An app has about five. A connection is taken to need 32 kB.
  /// One that only watches takes less. One with a long call takes more until the call is handled, and
  /// ``controlUserQueueLength`` limits those.
  package static let controlConnectionShare = Share(ofAll: 2048)
  /// The maximum number of bytes that may wait to be written to a control client. A client that exceeds it does not
  /// read, and is dropped.
  package static let controlSendQueueLength = 1024 * 1024
  /// The maximum number of bytes of unread replies and unfinished calls of all clients of one user. Root's are not
  /// counted. Some programs may stop reading at the same time. Ten users who do so on purpose take less than a fifth of
  /// the memory that the unit allows.
  package static let controlUserQueueLength = 8 * 1024 * 1024

  /// How long one user's calls may occupy the loop, in seconds. Root's calls are not counted. What is measured is
  /// limited to a quarter of the time. Including what is not measured (waking up, and work that a call leaves for
  /// later), a user takes at most a third.
  package static let controlUserTime = TokenBucket.Rate(perSecond: 0.25, burst: 0.25)
  /// How long the calls of one connection may occupy the loop before it is the turn of others.
  package static let controlCallTurn = Duration.microseconds(500)
  /// The rate of entries that one user's watchers of one kind of list get, at about 5 µs each. A list itself counts as
  /// one more.
  package static let watcherEntryRate = TokenBucket.Rate(perSecond: 20_000, burst: 10_000)
  /// The maximum number of different lists of one kind that are kept for those who watch them, of all users. One that
  /// is not kept is made again for each of its watchers.
  package static let sharedLists = 64
  /// The time after which a client that had not read the previous list is tried again. A try costs one entry.
  package static let watcherRetryTime = Duration.milliseconds(50)
  /// The maximum number of one user's clients that are tried at a time. Trying them takes an eighth of
  /// `watcherEntryRate`.
  package static let watcherRetries = 128

  // MARK: Control clients

  /// The time from connecting to the daemon until it accepts, and for each write. The daemon is on the same machine.
  package static let controlConnectTime = Duration.seconds(5)
  /// The time from a call to its reply: longer than anything that the daemon itself waits for.
  package static let controlReplyTime = Duration.seconds(60)
  /// The first and the longest pause between an app's attempts to reach a daemon that went away. A restart takes a
  /// second.
  package static let reconnectBackoff = Duration.milliseconds(100)...Duration.seconds(5)
  /// The time from an app's change of an activity until it is sent. Changes within this time are sent together, so that
  /// nobody fetches a mixture of two states.
  package static let activityChangeTime = Duration.milliseconds(10)
  /// The maximum length of one reply that a client accepts, in bytes. It has room for the largest lists, and is what
  /// systemd's clients accept.
  package static let controlReplyLength = 32 * 1024 * 1024
}
