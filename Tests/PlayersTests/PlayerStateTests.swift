// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Testing

struct PlayerStateTests {
  private func state(_ changes: [String: PlayerValue] = [:], track: [String: PlayerValue] = [:]) -> PlayerState? {
    let metadata: [String: PlayerValue] = [
      "xesam:url": .text("file:///home/ada/a%20b.ogg"), "mpris:length": .number(5_000_000),
      "mpris:trackid": .text("/track/1"), "xesam:artist": .texts(["Ada", "Bob"]),
    ]
    let values: [String: PlayerValue] = [
      "PlaybackStatus": .text("Playing"), "Position": .number(1_500_900), "CanSeek": .boolean(true),
      "Metadata": .properties(metadata.merging(track) { $1 }),
    ]
    return PlayerState(values.merging(changes) { $1 })
  }

  @Test func aWholeStateIsRead() throws {
    let state = try #require(self.state(["Rate": .real(1.25)]))
    #expect(state.position == 1500)
    #expect(state.speedPercent == 125)
    #expect(state.track?.place == .file("/home/ada/a b.ogg"))
    #expect(state.track?.length == 5000)
    #expect(state.track?.artist == "Ada, Bob")
    #expect(state.track?.name == "a b.ogg")
    #expect(state.isOfferable)
  }

  @Test func aPlayerAtTheStartIsNotBeforeIt() { #expect(state(["Position": .number(-20_000)])?.position == 0) }

  @Test(arguments: [
    ("Position", PlayerValue.text("5")), ("Position", .number(-2_000_000)), ("Position", .number(.max)),
    ("Position", .real(.nan)),
    ("CanSeek", .text("yes")), ("Metadata", .text("none")), ("Metadata", .properties([:])),
  ])
  func whatHasAnotherTypeIsNotOffered(name: String, value: PlayerValue) {
    #expect(state([name: value])?.isOfferable == false)
  }

  @Test func aStatusThatIsNoneIsRefused() {
    #expect(state(["PlaybackStatus": .text("Singing")]) == nil)
    #expect(state(["PlaybackStatus": .number(1)]) == nil)
  }

  @Test(arguments: [PlayerValue.real(.infinity), .real(0), .real(-1), .real(100), .text("fast")])
  func aSpeedThatIsNoneIsTheUsual(rate: PlayerValue) { #expect(state(["Rate": rate])?.rate == 1) }

  @Test(arguments: [
    "file:///etc/passwd", "file://elsewhere/a.ogg", "file:a.ogg", "/home/ada/a.ogg", "file:///a%00.ogg",
    "file:///a%zz.ogg", "file:///a%FF.ogg", "cdda://", "smb://server/a.ogg", "javascript:alert(1)", "https:///a.ogg",
    "https://ada:secret@example.org/a.ogg", "http://a b/c.ogg", "",
    "https://example.org/" + String(repeating: "a", count: 3000),
  ])
  func otherAddressesAreNoTracks(url: String) {
    #expect(PlayedTrack(["xesam:url": .text(url)]) == nil)
  }

  @Test func textsAreOneShortLine() throws {
    let text = "a\n\u{1B}[31m" + String(repeating: "ä", count: 500)
    let track = try #require(state(track: ["xesam:title": .text(text), "xesam:album": .number(7)])?.track)
    let title = try #require(track.title)
    #expect(title.utf8.count <= 256)
    #expect(!title.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(track.album == nil)
    #expect(state(track: ["xesam:title": .text("\u{200B} ")])?.track?.name == "a b.ogg")
  }

  @Test func oneURLIsWrittenInSeveralWays() {
    let given = PlayedTrack.url(path: "/home/ada/a b,ä.ogg")
    #expect(given == "file:///home/ada/a%20b,%C3%A4.ogg")
    for same in ["file:///home/ada/a%20b%2C%c3%a4.ogg", "/home/ada/a b,ä.ogg", "file://localhost/home/ada/a%20b,ä.ogg"]
    {
      #expect(PlayedTrack.isSame(same, as: given))
    }
    #expect(!PlayedTrack.isSame("file:///home/ada/a.ogg", as: given))
    #expect(PlayedTrack.isSame("https://example.org/a%20b", as: "https://example.org/a%20b"))
  }

  @Test func browsersAndProxiesAreIgnored() {
    for name in ["firefox.instance_1_2", "chromium.instance77", "plasma-browser-integration", "Firefox", "playerctld"] {
      #expect(IgnoredPlayers.contain("org.mpris.MediaPlayer2.\(name)"))
    }
    for name in ["mpv", "vlc", "firefoxes", "org.example.firefox"] {
      #expect(!IgnoredPlayers.contain("org.mpris.MediaPlayer2.\(name)"))
    }
  }

  @Test func oneTeamSeesIt() {
    let teams = [(id: "AAAAAAAAAA", name: "Home"), (id: "BBBBBBBBBB", name: "Work"), (id: "CCCCCCCCCC", name: "Work")]
    #expect(PlaybackTeam(.all, among: teams, beside: []) == .all)
    #expect(PlaybackTeam(.named(["Home"]), among: teams, beside: []) == .one("AAAAAAAAAA", omitted: 0))
    #expect(PlaybackTeam(.named(["cccccccccc", "Home"]), among: teams, beside: []) == .one("CCCCCCCCCC", omitted: 1))
    #expect(PlaybackTeam(.named(["Work"]), among: teams, beside: []) == .none)
    #expect(PlaybackTeam(.named(["Home"]), among: teams, beside: ["Home"]) == .none)
    #expect(PlaybackTeam(.named(["Home"]), among: Array(teams.prefix(1)), beside: []) == .one("AAAAAAAAAA", omitted: 0))
    #expect(PlaybackTeam(.none, among: teams, beside: []) == .none)
  }
}
