// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

struct PlaybackActivityTests {
  @Test func itSurvivesWritingAndReading() throws {
    var playback = PlaybackActivity(url: "https://example.org/12.ogg", positionMilliseconds: 61_500)
    (playback.lengthMilliseconds, playback.speedPercent) = (3_600_000, 150)
    (playback.artist, playback.album, playback.player) = ("Ada", "Calls", "org.example.Tape")
    #expect(try #require(PlaybackActivity(userInfo: playback.userInfo)) == playback)
    let file = PlaybackActivity(document: ["path": "/a.ogg"], positionMilliseconds: 0)
    #expect(PlaybackActivity(userInfo: file.userInfo) == file)
  }

  @Test func whatMustBeThereIs() {
    let url = JSON.string("https://example.org/a")
    #expect(PlaybackActivity(userInfo: ["url": url, "positionMilliseconds": 0]) != nil)
    for json: JSON in [
      [:], ["url": url], ["positionMilliseconds": 1], ["url": url, "positionMilliseconds": -1], [],
      ["url": url, "positionMilliseconds": 604_800_001], ["url": url, "positionMilliseconds": "1"],
      ["url": "file:///a.ogg", "positionMilliseconds": 1], ["document": "/a.ogg", "positionMilliseconds": 1],
    ] {
      #expect(PlaybackActivity(userInfo: json) == nil)
    }
  }

  @Test func whatIsNotAllowedIsLeftOut() throws {
    let json: JSON = [
      "url": "https://example.org/a", "positionMilliseconds": 1, "lengthMilliseconds": -1, "speedPercent": 9,
      "artist": 7, "album": " ", "io.baton.desktopEntry": "../evil",
    ]
    let read = try #require(PlaybackActivity(userInfo: json))
    #expect(read == PlaybackActivity(url: "https://example.org/a", positionMilliseconds: 1))
  }

  @Test(arguments: ["a b", "a/b", "", "ä", String(repeating: "a", count: 129)])
  func otherNamesAreNoPlayers(name: String) {
    #expect(PlaybackActivity.player(name) == nil)
  }

  @Test func mediaAreKnownByTheirNames() {
    #expect(PlayableType.ofFile("/home/ada/a.OGG") == "audio/ogg")
    #expect(PlayableType.ofFile("film.tar.mkv") == "video/x-matroska")
    for name in ["a.txt", "ogg", ".ogg", "a.desktop", "a.ogg.sh", "a.", ""] {
      #expect(PlayableType.ofFile(name) == nil)
    }
    #expect(PlayableType.ofAddress("https://example.org/a.mp3?x=.mkv#y") == ["audio/mpeg"] + PlayableType.usual)
    #expect(PlayableType.ofAddress("https://example.org/watch?v=1") == PlayableType.usual)
  }
}
