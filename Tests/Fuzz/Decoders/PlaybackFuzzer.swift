// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import JSONCoding

/// What is played on another machine, and what a player says of its track.
enum PlaybackFuzzer: Fuzzer {
  static let seeds = [
    #"{"url":"https://example.org/12.ogg","positionMilliseconds":61500,"speedPercent":150,"artist":"Ada"}"#,
    #"{"document":{"path":"/a.mkv"},"positionMilliseconds":0,"lengthMilliseconds":5,"io.baton.desktopEntry":"mpv"}"#,
    "file:///home/ada/a%20b.ogg", "file:///\u{610}.ogg", "https://ada@example.org/a.ogg?b#c",
  ].map { Array($0.utf8) }

  static let words = [
    "\"positionMilliseconds\":", "604800000", "604800001", "-1", "file://localhost/", "%2F", "%00", "http://", ".ogg",
    "\"io.baton.desktopEntry\":\"",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    if let json = try? JSON(parsing: input, depth: Limits.userInfoDepth), let read = PlaybackActivity(userInfo: json) {
      hold((0...Limits.playbackLength).contains(read.positionMilliseconds), "\(read.positionMilliseconds)")
      hold(PlaybackActivity.speeds.contains(read.speedPercent), "\(read.speedPercent)")
      hold(read.player?.unicodeScalars.contains("/") != true, read.player ?? "")
      if (try? UserInfo(json: read.userInfo)) != nil, read.artist == nil, read.album == nil {
        same(PlaybackActivity(userInfo: read.userInfo), read)
      }
    }
    let text = String(decoding: input, as: UTF8.self)
    let track = PlayedTrack(["xesam:url": .text(text), "xesam:title": .text(text), "xesam:artist": .texts([text])])
    guard let track else { return }
    hold(track.name.utf8.count <= 256, track.name)
    hold(!VisibleText.hasControls(track.name), track.name)
    switch track.place {
    case .file(let path):
      hold(path.utf8.first == UInt8(ascii: "/") && PlayableType.ofFile(path) != nil, path)
      same(PlayedTrack.path(PlayedTrack.url(path: path)), path)
      hold(PlayedTrack.isSame(PlayedTrack.url(path: path), as: text), path)
    case .address(let url):
      hold(url.starts(withBytesOf: "http"), url)
      same(PlaybackActivity.address(url), url)
    }
  }
}
