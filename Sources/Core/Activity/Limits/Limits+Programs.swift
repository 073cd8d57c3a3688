// SPDX-License-Identifier: Apache-2.0

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
  /// ``ControlServer.controlUserQueueLength`` limits those.
  package static let controlConnectionShare = Share(ofAll: 2048)
  /// The maximum number of bytes that may wait to be written to a control client. A client that exceeds it does not
  /// read, and is dropped.
  package static let controlSendQueueLength = 1024 * 1024

  /// The time after which a client that had not read the previous list is tried again. A try costs one entry.
  package static let watcherRetryTime = Duration.milliseconds(50)

  // MARK: Control clients

  /// The time from connecting to the daemon until it accepts, and for each write. The daemon is on the same machine.
  package static let controlConnectTime = Duration.seconds(5)
  /// The time from a call to its reply: longer than anything that the daemon itself waits for.
  package static let controlReplyTime = Duration.seconds(60)
  /// The maximum length of one reply that a client accepts, in bytes. It has room for the largest lists, and is what
  /// systemd's clients accept.
  package static let controlReplyLength = 32 * 1024 * 1024
}
