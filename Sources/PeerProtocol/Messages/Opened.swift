import JSONCoding

/// Says that the app has accepted the stream.
package struct Opened: MessageBody {
  package static let type: UInt8 = 14

  package var stream: UInt32
  /// How many bytes in total the receiver of this message may send.
  package var limit: UInt64

  package init(stream: UInt32, limit: UInt64) {
    self.stream = stream
    self.limit = limit
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    stream = try members.required("stream", \.uint32)
    limit = try members.required("limit", \.uint64)
  }

  package var members: [String: JSON] {
    ["stream": JSON(UInt64(stream)), "limit": JSON(limit)]
  }
}
