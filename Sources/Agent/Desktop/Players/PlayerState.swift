// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes

/// What a player says of itself at one moment, after it was checked (MPRIS 2.2, `org.mpris.MediaPlayer2.Player`).
package struct PlayerState: Equatable, Sendable {
  package enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  package var status: Status
  /// What another machine could play. Nil if there is no such thing.
  package var track: PlayedTrack?
  /// How far it was played, in milliseconds. Nil if it does not say that.
  package var position: Int?
  /// The speed; 1 is as it was recorded.
  package var rate: Double
  package var canSeek: Bool
  /// What it says is played, in its own words.
  package var url: String?
  /// Its name of the track, for `SetPosition`.
  package var trackID: String?

  package init(
    status: Status,
    track: PlayedTrack?,
    position: Int?,
    rate: Double = 1,
    canSeek: Bool = true,
    url: String? = nil,
    trackID: String? = nil
  ) {
    (self.status, self.track, self.position, self.rate) = (status, track, position, rate)
    (self.canSeek, self.url, self.trackID) = (canSeek, url, trackID)
  }

  /// - Parameter values: All properties of the interface. Nil if it does not say whether it plays.
  package init?(_ values: [String: PlayerValue]) {
    guard let status = values["PlaybackStatus"]?.text.flatMap(Status.init) else { return nil }
    let metadata = values["Metadata"]?.properties ?? [:]
    let rate = values["Rate"]?.real ?? 1
    self.init(
      status: status,
      track: PlayedTrack(metadata),
      position: values["Position"]?.milliseconds(limit: Limits.playbackLength),
      rate: (0.1...10).contains(rate) ? rate : 1,
      canSeek: values["CanSeek"]?.boolean ?? false,
      url: metadata["xesam:url"]?.text,
      trackID: metadata["mpris:trackid"]?.text
    )
  }

  /// Whether another machine could go on with it. A live stream has no place to go on from.
  package var isOfferable: Bool {
    guard let track, position != nil, canSeek else { return false }
    return switch track.place {
    case .file: true
    case .address: track.length != nil
    }
  }

  // Checked: the rate is at most 10.
  package var speedPercent: Int { Int((rate * 100).rounded()) }

  /// How far it was played some time later, in milliseconds, if nobody has changed anything.
  package func position(after time: Duration) -> Int {
    let begin = position ?? 0
    guard status == .playing else { return begin }
    let end = track?.length ?? Limits.playbackLength
    // Checked: real numbers do not trap.
    let passed = max(0, time / .milliseconds(1)) * rate
    // Checked: both are at most 7 days before they are added.
    return min(end, begin + Int(min(passed, Double(Limits.playbackLength))))
  }
}
