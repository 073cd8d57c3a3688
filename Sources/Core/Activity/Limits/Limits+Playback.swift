// SPDX-License-Identifier: Apache-2.0

/// The limits of what is played.
extension Limits {
  /// The maximum number of players that are watched. A desktop has two or three.
  package static let players = 16
  /// The maximum length of a text of a player in bytes: a URL is longer than anything else that is needed.
  package static let playerTextLength = 4096
  /// The longest position and length in milliseconds: 7 days.
  package static let playbackLength = 7 * 24 * 60 * 60 * 1000
  /// The first and the longest pause after the user's bus, or the daemon, was not there.
  package static let playbackBackoff = Duration.seconds(2)...Duration.seconds(60)
}
