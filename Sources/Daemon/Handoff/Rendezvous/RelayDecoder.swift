// SPDX-License-Identifier: Apache-2.0

import Activity

/// Takes apart what a relay sends.
package struct RelayDecoder: Sendable {
  /// What came is not the protocol, or longer than allowed.
  package struct Malformed: Error, Equatable {
    package let why: String
  }

  /// What has come and is not taken yet.
  package private(set) var rest: ArraySlice<UInt8> = []

  package init() {}

  package mutating func append(_ bytes: some Collection<UInt8>) { rest += bytes }

  /// Takes the next message. Nil if it is not complete yet.
  package mutating func next() throws(Malformed) -> RelayMessage? {
    var rest = rest
    guard let magic = rest.takeNumber() else { return nil }
    guard magic == RelayMessage.magic else { throw Malformed(why: "it isn't a relay") }
    guard let type = rest.takeNumber(), let length = rest.takeNumber() else { return nil }
    guard length <= Limits.relayMessageLength else { throw Malformed(why: "a message is too long") }
    guard let body = rest.takeFirst(Int(length)) else { return nil }
    self.rest = rest
    return try RelayMessage(type: type, body: body)
  }
}
