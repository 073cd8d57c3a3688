// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The `userInfo` of `io.baton.playback` (ActivityTypes.md): what is played, and how far it was played.
package struct PlaybackActivity: Equatable, Sendable {
  /// Which file, for `DocumentFinder`.
  package var document: JSON?
  /// Where it is played from: `http` or `https`.
  package var url: String?
  package var positionMilliseconds: Int
  package var lengthMilliseconds: Int?
  package var speedPercent = 100
  package var artist: String?
  package var album: String?
  /// The ID of the player's desktop entry, which another machine may have, too.
  package var player: String?

  package static let playerKey = "io.baton.desktopEntry"
  package static let speeds = 10...1000
  private static let urlLength = 2048
  /// In bytes.
  private static let textLength = 256
  private static let playerLength = 128

  package init(document: JSON? = nil, url: String? = nil, positionMilliseconds: Int) {
    (self.document, self.url, self.positionMilliseconds) = (document, url, positionMilliseconds)
  }

  /// - Parameter userInfo: What another machine sent. What is not allowed is left out. Nil if it does not say what is
  ///   played, or how far.
  package init?(userInfo: JSON) {
    let members = userInfo.object ?? [:]
    guard let position = members["positionMilliseconds"].flatMap(Self.time) else { return nil }
    positionMilliseconds = position
    document = members["document"]?.object.map(JSON.object)
    url = members["url"]?.string.flatMap(Self.address)
    guard document != nil || url != nil else { return nil }
    lengthMilliseconds = members["lengthMilliseconds"].flatMap(Self.time)
    let speed = members["speedPercent"]?.int64.flatMap(Int.init(exactly:))
    speedPercent = speed.flatMap { Self.speeds.contains($0) ? $0 : nil } ?? 100
    artist = members["artist"]?.string.flatMap(Self.text)
    album = members["album"]?.string.flatMap(Self.text)
    player = members[Self.playerKey]?.string.flatMap(Self.player)
  }

  /// The `userInfo`. If it is too large, it is without what is only for people.
  package var userInfo: JSON {
    var members: [String: JSON] = ["positionMilliseconds": .integer(Int64(positionMilliseconds))]
    members["document"] = document
    members["url"] = url.map(JSON.string)
    members["lengthMilliseconds"] = lengthMilliseconds.map { .integer(Int64($0)) }
    if speedPercent != 100 { members["speedPercent"] = .integer(Int64(speedPercent)) }
    members[Self.playerKey] = player.map(JSON.string)
    let rest = members
    members["artist"] = artist.map(JSON.string)
    members["album"] = album.map(JSON.string)
    return (try? UserInfo(json: .object(members))) != nil ? .object(members) : .object(rest)
  }

  /// A position or a length. Nil if it cannot be one.
  private static func time(_ json: JSON) -> Int? {
    json.int64.flatMap(Int.init(exactly:)).flatMap { (0...Limits.playbackLength).contains($0) ? $0 : nil }
  }

  /// An address that a player can be given: that of a web page, without a user and a password.
  package static func address(_ text: String) -> String? {
    guard text.utf8.count <= urlLength, let page = WebPage(text), !page.isOfThisMachineOnly,
      page.url.utf8.count <= urlLength
    else { return nil }
    let authority = page.url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    return authority.contains(UInt8(ascii: "@")) ? nil : page.url
  }

  /// A text for people on one line, cut to what is allowed.
  package static func text(_ text: String) -> String? {
    let line = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    var cut = String.UnicodeScalarView()
    var length = 0
    for scalar in line {
      length += String(scalar).utf8.count  // Checked: it stops at the limit.
      if length > textLength { break }
      cut.append(scalar)
    }
    let result = String(cut)
    return VisibleText.isVisible(result) ? result : nil
  }

  /// The ID of a desktop entry: letters, digits, `.`, `-` and `_`.
  package static func player(_ text: String) -> String? {
    let isID = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._".utf8.contains(byte)
    }
    return isID && (1...playerLength).contains(text.utf8.count) ? text : nil
  }
}
