// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import MessageSamples
import Testing

/// Checks that a message has exactly this frame, and that decoding the frame returns an equal message.
func checkCoding(_ sample: Sample, sourceLocation: SourceLocation = #_sourceLocation) throws {
  #expect(sample.message.frame == sample.header + sample.payload, sourceLocation: sourceLocation)
  var decoder = FrameDecoder()
  decoder.receive(sample.header + sample.payload)
  let frame = try #require(try decoder.next(), sourceLocation: sourceLocation)
  #expect(try Message(type: frame.type, payload: frame.payload) == sample.message, sourceLocation: sourceLocation)
  #expect(try decoder.next() == nil, sourceLocation: sourceLocation)
  #expect(decoder.pendingCount == 0, sourceLocation: sourceLocation)
}

extension Sample: CustomTestStringConvertible {
  package var testDescription: String { "\(message)" }

  var type: UInt8 { header[3] }

  /// The members of the payload.
  var members: [String: JSON] {
    get throws { try #require(try JSON(parsing: payload, depth: Limits.messageDepth).object) }
  }

  /// Returns the message of this type with other members; nil if it is taken for somebody's extension.
  func message(_ members: [String: JSON]) throws(Reason) -> Message? {
    try Message(type: type, payload: JSON.object(members).bytes[...])
  }
}
