// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes

/// What a player plays: a film, a piece of music or a podcast.
package struct PlayedTrack: Equatable, Sendable {
  /// The maximum number of artists that are named.
  private static let artists = 8

  package enum Place: Equatable, Sendable {
    /// The absolute path of a file.
    case file(String)
    /// `http` or `https`.
    case address(String)
  }

  package let place: Place
  package var title: String?
  package var artist: String?
  package var album: String?
  /// In milliseconds.
  package var length: Int?

  package init(_ place: Place, title: String? = nil, length: Int? = nil) {
    (self.place, self.title, self.length) = (place, title, length)
  }

  /// Nil if it is neither at an address nor a file of sound or a film.
  ///
  /// - Parameter metadata: What the player says of it.
  package init?(_ metadata: [String: PlayerValue]) {
    guard let url = metadata["xesam:url"]?.text else { return nil }
    if let path = Self.path(url), PlayableType.ofFile(path) != nil {
      place = .file(path)
    } else if let address = PlaybackActivity.address(url) {
      place = .address(address)
    } else {
      return nil
    }
    title = metadata["xesam:title"]?.text.flatMap(PlaybackActivity.text)
    let artists = metadata["xesam:artist"]?.texts?.prefix(Self.artists) ?? []
    artist = PlaybackActivity.text(artists.joined(separator: ", "))
    album = metadata["xesam:album"]?.text.flatMap(PlaybackActivity.text)
    // Some say 0 if they do not know it.
    length = metadata["mpris:length"]?.milliseconds(limit: Limits.playbackLength).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The title for people, or the name of the file.
  package var name: String {
    if let title { return title }
    switch place {
    case .file(let path): return Self.lastName(path)
    case .address(let url): return Self.lastName(String(url.scalarPrefix(while: { $0 != "?" && $0 != "#" })))
    }
  }

  private static func lastName(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { PlaybackActivity.text(String(Substring($0))) } ?? ""
  }

  /// The path of a file URL of this machine; nil if it is not one.
  package static func path(_ url: String) -> String? {
    guard url.utf8.count <= Limits.playerTextLength, url.utf8.prefix(7).elementsEqual("file://".utf8) else {
      return nil
    }
    let rest = url.utf8.dropFirst(7)
    let host = rest.prefix { $0 != UInt8(ascii: "/") }
    guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
    guard let bytes = PercentEncoding.decode(String(Substring(rest[host.endIndex...]))), !bytes.contains(0),
      let path = String(validating: bytes, as: UTF8.self), path.utf8.first == UInt8(ascii: "/")
    else { return nil }
    return path
  }

  /// The URL of a file.
  package static func url(path: String) -> String {
    "file://"
      + path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(Array($0)) }.joined(separator: "/")
  }

  /// Whether a player's URL is the one that it was given. Programs write the same one in several ways.
  package static func isSame(_ url: String, as given: String) -> Bool {
    if url == given { return true }
    if let path = path(given) { return Self.path(url) == path || url == path }
    return PercentEncoding.decode(url) == PercentEncoding.decode(given)
  }
}
