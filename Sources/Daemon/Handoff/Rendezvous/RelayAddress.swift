// SPDX-License-Identifier: Apache-2.0

import Activity

/// Where a relay is, as a person types it (`HOST`, `HOST:PORT` or `[IPV6]:PORT`), or as `strelaysrv` prints it
/// (`relay://HOST:PORT/?id=ID`).
package struct RelayAddress: Hashable, Sendable {
  /// The maximum length of a relay's address as text, in bytes: a name of 253, an ID, and what else a relay prints.
  private static let relayAddressLength = 1024

  /// What is wrong with a text.
  package enum Invalid: Error, Equatable, Sendable {
    case tooLong
    case otherScheme
    case hostMissing
    case hostInvalid
    case portInvalid
    case pathInvalid
    case idInvalid
  }

  package static let defaultPort: UInt16 = 22067
  /// The maximum length of a DNS name, in bytes.
  private static let nameLength = 253

  /// A name or an address in small letters. An IPv6 address has no brackets.
  package let host: String
  package let port: UInt16
  /// SHA-256 of the relay's certificate: 32 bytes. Nil if it was not given.
  package let id: [UInt8]?

  package init(_ text: String) throws(Invalid) {
    guard text.utf8.count <= Self.relayAddressLength else { throw .tooLong }
    var place = text[...]
    var id: [UInt8]?
    if let colon = text.utf8.firstRange(ofBytes: "://".utf8) {
      guard text[..<colon.lowerBound].lowercased() == "relay" else { throw .otherScheme }
      let tail = text[colon.upperBound...]
      place = tail.scalarPrefix(while: { $0 != "/" && $0 != "?" })
      id = try Self.id(in: tail[place.endIndex...])
    }
    (host, port) = try Self.split(place)
    self.id = id
  }

  /// The text from which ``init(_:)`` makes an equal value. Equal values have equal texts.
  package var text: String {
    let place = "\(host.unicodeScalars.contains(":") ? "[\(host)]" : host):\(port)"
    return id.map { "relay://\(place)/?id=\(RelayID.text($0))" } ?? place
  }

  /// - Parameter tail: What follows the port: nothing, `/`, or `/?` and items, of which only `id` means something.
  private static func id(in tail: Substring) throws(Invalid) -> [UInt8]? {
    let query = tail.rest(afterBytesOf: "/") ?? tail
    guard query.isEmpty || query.starts(withBytesOf: "?") else { throw .pathInvalid }
    var found: [UInt8]?
    for item in (query.rest(afterBytesOf: "?") ?? "").split(atScalar: "&") {
      guard let text = item.rest(afterBytesOf: "id=") else { continue }
      guard let id = RelayID.parse(text), found == nil || found == id else { throw .idInvalid }
      found = id
    }
    return found
  }

  private static func split(_ place: Substring) throws(Invalid) -> (String, UInt16) {
    var (host, rest) = (place.scalarPrefix(while: { $0 != ":" }), place.dropScalars(while: { $0 != ":" }))
    let address = place.rest(afterBytesOf: "[")
    let isAddress = address != nil
    if let address {
      host = address.scalarPrefix(while: { $0 != "]" })
      guard let end = address[host.endIndex...].rest(afterBytesOf: "]") else { throw .hostInvalid }
      rest = end
    }
    // Such a relay prints that it listens everywhere.
    guard !["", "0.0.0.0", "::"].contains(host) else { throw .hostMissing }
    guard host.utf8.count <= Self.nameLength, host.utf8.allSatisfy(isAddress ? isOfAddress : isOfName),
      !isAddress || host.unicodeScalars.contains(":"), !host.starts(withBytesOf: "."), !host.starts(withBytesOf: "-")
    else { throw .hostInvalid }
    // An address without brackets.
    guard rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) <= 1 else { throw .hostInvalid }
    guard !rest.isEmpty else { return (host.lowercased(), defaultPort) }
    guard let digits = rest.rest(afterBytesOf: ":"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let port = UInt16(digits), port > 0
    else { throw .portInvalid }
    return (host.lowercased(), port)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "-._".utf8.contains(byte)
  }

  /// Whether an IPv6 address can contain it. The resolver knows whether it is one.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    0x30...0x3A ~= byte || 0x61...0x66 ~= byte | 0x20 || byte == UInt8(ascii: ".")
  }
}
