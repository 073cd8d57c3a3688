// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Takes apart what a NATS server sends.
package struct NATSDecoder: Sendable {
  /// The maximum length of a line of a rendezvous server, in bytes: the names of a large cluster.
  private static let rendezvousLineLength = 16 << 10

  /// What came is not the protocol, or longer than allowed.
  package struct Malformed: Error, Equatable {
    package let why: String
  }

  private var line: [UInt8] = []
  private var message: (subject: String, subscription: Int, missing: Int, payload: [UInt8])?

  private let payloadLimit: Int

  /// - Parameter payloadLimit: The maximum length of a payload, in bytes.
  package init(payloadLimit: Int = Limits.rendezvousPayloadLength) { self.payloadLimit = payloadLimit }

  /// Whether all that was received is in messages that are complete.
  package var isAtStart: Bool { line.isEmpty && message == nil }

  package mutating func receive(_ bytes: some Collection<UInt8>) throws(Malformed) -> [NATSMessage] {
    var (messages, rest): ([NATSMessage], ArraySlice<UInt8>) = ([], Array(bytes)[...])
    while !rest.isEmpty {
      if var message {
        // Otherwise, each part would copy all before it.
        self.message = nil
        let part = rest.prefix(message.missing)
        rest = rest.dropFirst(part.count)
        message.payload += part
        // Checked: a part has at most what is missing.
        message.missing -= part.count
        guard message.missing == 0 else {
          self.message = message
          continue
        }
        guard message.payload.suffix(2).elementsEqual([0x0D, 0x0A]) else {
          throw Malformed(why: "a payload has no end")
        }
        let payload = Array(message.payload.dropLast(2))
        messages.append(.message(subject: message.subject, subscription: message.subscription, payload: payload))
      } else {
        let end = rest.firstIndex(of: 0x0A)
        line += rest[..<(end ?? rest.endIndex)]
        guard line.count <= Self.rendezvousLineLength else { throw Malformed(why: "a line is too long") }
        rest = end.map { rest[$0...].dropFirst() } ?? []
        guard end != nil else { continue }
        guard line.popLast() == 0x0D else { throw Malformed(why: "a line has no end") }
        let text = line
        line = []
        if let message = try read(text) { messages.append(message) }
      }
    }
    return messages
  }

  private mutating func read(_ line: [UInt8]) throws(Malformed) -> NATSMessage? {
    let word = String(decoding: line.prefix { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).uppercased()
    let rest = line.dropFirst(word.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    switch word {
    case "INFO":
      guard let json = try? JSON(parsing: rest, depth: 8), let info = NATSInfo(json: json) else {
        throw Malformed(why: "INFO isn't JSON")
      }
      return .info(info)
    case "PING": return .ping
    case "PONG": return .pong
    case "+OK": return .ok
    case "-ERR":
      return .error(String(decoding: rest, as: UTF8.self).trimmingQuotes)
    case "MSG":
      // The subject, the subscription's number, perhaps a subject for replies, and the length.
      let words = rest.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3 || words.count == 4, let subscription = Int(words[1]),
        let size = words.last.flatMap({ Int($0) }),
        subscription >= 0, size >= 0
      else { throw Malformed(why: "MSG isn't complete") }
      guard size <= payloadLimit else { throw Malformed(why: "a payload is too long") }
      // Checked: the limit is small.
      message = (words[0], subscription, size + 2, [])
      return nil
    default: throw Malformed(why: "an unknown word")
    }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    guard utf8.count >= 2, utf8.first == UInt8(ascii: "'"), utf8.last == UInt8(ascii: "'") else { return self }
    return String(dropFirst().dropLast())
  }
}
