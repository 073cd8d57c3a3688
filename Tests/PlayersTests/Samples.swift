// SPDX-License-Identifier: Apache-2.0

import Desktop

let music = PlayedTrack(.file("/home/ada/Music/a.ogg"), title: "Song", length: 100_000)
let podcast = PlayedTrack(.address("https://example.org/12.ogg"), title: "Episode 12", length: 3_600_000)

func playing(_ track: PlayedTrack? = music, at position: Int? = 0, rate: Double = 1) -> PlayerState {
  PlayerState(status: .playing, track: track, position: position, rate: rate)
}

func paused(_ track: PlayedTrack? = music, at position: Int? = 0) -> PlayerState {
  PlayerState(status: .paused, track: track, position: position)
}

let stopped = PlayerState(status: .stopped, track: nil, position: 0)
