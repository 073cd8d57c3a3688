// SPDX-License-Identifier: Apache-2.0

import Activity

/// A media type, such as `image/png` or `text/plain;charset=utf-8`.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
  package static let text = MediaType(checked: "text/plain;charset=utf-8")

  /// The type in lowercase letters, without spaces.
  package let description: String

  private init(checked text: String) { description = text }

  /// - Parameter text: As programs write it. The only parameter that it may have is `charset`.
  /// - Returns: Nil if it is no media type.
  package init?(_ text: String) {
    guard text.utf8.count <= Limits.mediaTypeLength else { return nil }
    let plain = String(
      String.UnicodeScalarView(text.lowercased().unicodeScalars.filter { $0 != " " && $0 != "\"" })
    )
    let parts = plain.split(atScalar: ";", omittingEmptySubsequences: false)
    let words = parts.first?.split(atScalar: "/", omittingEmptySubsequences: false) ?? []
    guard words.count == 2, words.allSatisfy(Self.isName), parts.count <= 2 else { return nil }
    if let parameter = parts.dropFirst().first {
      guard let charset = parameter.rest(afterBytesOf: "charset="), Self.isCharset(charset) else { return nil }
    }
    description = plain
  }

  /// The type without its parameter.
  package var essence: Substring { description.scalarPrefix(while: { $0 != ";" }) }

  package var isText: Bool {
    essence.starts(withBytesOf: "text/") || ["application/json", "application/xml", "image/svg+xml"].contains(essence)
  }

  package var isPicture: Bool { essence.starts(withBytesOf: "image/") }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$&^_.+-".utf8.contains(byte)
        }
      }
  }

  private static func isCharset(_ name: Substring) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }

  /// Chooses the type that is meant among those in which something can be had.
  ///
  /// - Parameter name: A type, whose parameter may be missing. Nil for the best one.
  package static func choose(_ name: String?, from types: [MediaType]) -> MediaType? {
    guard let name else { return types.first }
    guard let wanted = MediaType(name) else { return nil }
    return types.first { $0 == wanted } ?? types.first { $0.essence == wanted.description }
  }
}
