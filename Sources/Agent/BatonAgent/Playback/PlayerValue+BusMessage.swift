// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Systemd

extension PlayerValue {
  /// The maximum number of properties that are read of a player, and of its track. Players have 25.
  private static let playerProperties = 128

  /// The names of the values that are read. A player can say anything else, at any length.
  private static let wanted: Set<String> = [
    "CanSeek", "DesktopEntry", "Metadata", "PlaybackStatus", "Position", "Rate", "mpris:length", "mpris:trackid",
    "xesam:album", "xesam:artist", "xesam:title", "xesam:url",
  ]
  /// The maximum total length of an array's texts in bytes.
  private static let arrayLength = 64 * 1024

  /// Reads a dictionary `a{sv}`.
  ///
  /// - Parameter isNested: Whether it is a value of another one. It has no dictionaries then.
  /// - Returns: Nil if the message has something else, or too many values.
  static func properties(_ message: BusMessage, isNested: Bool = false) -> [String: PlayerValue]? {
    var values: [String: PlayerValue] = [:]
    // What is not read makes the whole dictionary unusable.
    let isRead: Void? = message.enter(.array, "{sv}") {
      for _ in 0..<Self.playerProperties {
        let isEntry: Void? = message.enter(.entry, "sv") {
          let name = message.string() ?? ""
          if let value = variant(message, isWanted: wanted.contains(name), isNested: isNested) { values[name] = value }
        }
        if isEntry == nil { return }
      }
    }
    return isRead == nil ? nil : values
  }

  /// Reads a variant.
  static func variant(_ message: BusMessage, isWanted: Bool = true, isNested: Bool = true) -> PlayerValue? {
    guard let contents = message.variantContents else { return nil }
    return message.enter(.variant, contents) {
      guard isWanted, let value = value(message, contents, isNested) else {
        message.skip(contents)
        return nil
      }
      return value
    } ?? nil
  }

  /// - Returns: Nil, with nothing read, if it has another type.
  private static func value(_ message: BusMessage, _ contents: String, _ isNested: Bool) -> PlayerValue?? {
    switch contents {
    case "s": .some(message.string(limit: Limits.playerTextLength).map(PlayerValue.text))
    case "o": .some(message.string(.path, limit: Limits.playerTextLength).map(PlayerValue.text))
    case "b": .some(message.boolean().map(PlayerValue.boolean))
    case "d": .some(message.double().map(PlayerValue.real))
    case "i": .some(message.integer().map { .number(Int64($0)) })
    case "u": .some(message.number().map { .number(Int64($0)) })
    case "x": .some(message.longInteger().map(PlayerValue.number))
    case "t": .some(message.unsignedLongInteger().map { .number(Int64(clamping: $0)) })
    case "as": .some(.texts(message.strings(limit: arrayLength)))
    case "a{sv}" where !isNested: .some(properties(message, isNested: true).map(PlayerValue.properties))
    default: nil
    }
  }
}
