/// The limits of what is played.
extension Limits {
  /// How long a player that was paused is still offered. Somebody who goes to another machine is there sooner.
  package static let pausedPlayerTime = Duration.seconds(10 * 60)
  /// How long a player may have nothing to offer before it is no longer offered. Some stop between two tracks.
  package static let playerGapTime = Duration.seconds(2)
  /// The minimum time between two changes of what is offered. A track that is skipped is offered to nobody.
  package static let playbackChangeInterval = Duration.seconds(1)
  /// How long something must be played until its file is described. A track that is skipped is not read.
  package static let playbackDescriptionDelay = Duration.seconds(10)
  /// How long another machine waits for the description if there is none yet: a part of `saveTime`.
  package static let playbackDescriptionTime = Duration.milliseconds(1500)
  /// The time until a player says where it is: another part of it.
  package static let playerPositionTime = Duration.seconds(1)
  /// The maximum number of activities that were continued elsewhere whose files are still served.
  package static let continuedPlaybacks = 4
  /// The maximum number of players that are watched. A desktop has two or three.
  package static let players = 16
  /// How often the same player is asked for its state in a row, and per second, whatever it signals. A player that is
  /// started says some things in a row.
  package static let playerQuestions = TokenBucket.Rate(perSecond: 1, burst: 4)
  /// The same while a player is opened, because a person waits for it.
  package static let openingQuestions = TokenBucket.Rate(perSecond: 10, burst: 4)
  /// How many signals of one player are heard in a row, and per second. A player that sends more is not heard for
  /// `playerSilence`, but asked after it.
  package static let playerSignals = TokenBucket.Rate(perSecond: 16, burst: 64)
  package static let playerSilence = Duration.seconds(5)
  /// The time until a player answers what it is asked. One that hangs must not keep another machine waiting.
  package static let playerReplyTime = Duration.seconds(2)
  /// The maximum number of properties that are read of a player, and of its track. Players have 25.
  package static let playerProperties = 128
  /// The maximum length of a text of a player in bytes: a URL is longer than anything else that is needed.
  package static let playerTextLength = 4096
  /// The maximum number of artists that are named.
  package static let artists = 8
  /// The longest position and length in milliseconds: 7 days.
  package static let playbackLength = 7 * 24 * 60 * 60 * 1000
  /// The time from starting a player until it plays and can be controlled over D-Bus. Without an answer it was opened
  /// at the start.
  package static let playerStartTime = Duration.seconds(12)
  /// The time from asking a player for a position until it has it.
  package static let playerSeekTime = Duration.seconds(5)
  /// The time after which a player that is not there is asked once more. Some drop what they are told while they load.
  package static let playerMoveInterval = Duration.milliseconds(300)
  /// How long `baton open` and a notification wait for a player. What takes longer, such as fetching a film, goes on
  /// without them. It is less than `launchTime`.
  package static let playbackPatience = Duration.seconds(8)
  /// How long a person waits until the origin, too, knows that nothing plays.
  package static let playbackReturnTime = Duration.seconds(2)
  /// How near a player must be to the position, in milliseconds. Some go to the nearest picture that is whole.
  package static let playbackPrecision = 2_000
  /// The first and the longest pause after the user's bus, or the daemon, was not there.
  package static let playbackBackoff = Duration.seconds(2)...Duration.seconds(60)
}
