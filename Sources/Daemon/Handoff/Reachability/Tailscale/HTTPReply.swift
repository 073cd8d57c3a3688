// SPDX-License-Identifier: Apache-2.0

import Activity

/// The reply of an HTTP server that closes the connection after it (RFC 9112).
package struct HTTPReply: Equatable, Sendable {
  package let status: Int
  package let body: [UInt8]

  /// - Parameter bytes: All that came until the connection ended. The result is nil if this is no whole reply.
  package init?(_ bytes: [UInt8]) {
    guard let end = Self.endOfLine(in: bytes[...], Array("\r\n\r\n".utf8)) else { return nil }
    let head = Self.lines(bytes[..<end.lowerBound])
    let words = head.first?.split(atScalar: " ", maxSplits: 2) ?? []
    guard words.count >= 2, words.first?.starts(withBytesOf: "HTTP/1.") == true,
      let status = words.dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var fields: [String: String] = [:]
    for line in head.dropFirst() {
      guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return nil }
      let value = line.rest(after: colon).dropScalars(while: { $0 == " " || $0 == "\t" })
      fields[line[..<colon].lowercased()] = value.lowercased()
    }
    let rest = bytes[end.upperBound...]
    guard let body = Self.body(rest, coding: fields["transfer-encoding"], length: fields["content-length"]) else {
      return nil
    }
    self.status = status
    self.body = body
  }

  private static func lines(_ head: ArraySlice<UInt8>) -> [String] {
    var (lines, rest): ([String], ArraySlice<UInt8>) = ([], head)
    while let end = endOfLine(in: rest) {
      lines.append(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
      rest = rest[end.upperBound...]
    }
    return lines + [String(decoding: rest, as: UTF8.self)]
  }

  private static func body(_ rest: ArraySlice<UInt8>, coding: String?, length: String?) -> [UInt8]? {
    if let coding { return coding == "chunked" ? joined(rest) : nil }
    guard let length else { return Array(rest) }
    guard let count = Int(length), (0...rest.count).contains(count) else { return nil }
    return Array(rest.prefix(count))
  }

  /// Joins the chunks of a body (RFC 9112, section 7.1). What follows the last chunk is ignored.
  private static func joined(_ chunks: ArraySlice<UInt8>) -> [UInt8]? {
    var body: [UInt8] = []
    var rest = chunks
    while let end = endOfLine(in: rest) {
      let digits = rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }
      guard let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count >= 0 else { return nil }
      guard count > 0 else { return body }
      rest = rest[end.upperBound...]
      guard count <= rest.count else { return nil }
      body += rest.prefix(count)
      rest = rest.dropFirst(count)
      guard rest.starts(with: "\r\n".utf8) else { return nil }
      rest = rest.dropFirst(2)
    }
    return nil
  }

  private static func endOfLine(in bytes: ArraySlice<UInt8>, _ end: [UInt8] = Array("\r\n".utf8)) -> Range<Int>? {
    bytes.firstRange(ofBytes: end)
  }
}
