import JSON

/// The app has taken bytes of a stream.
package struct Acknowledge: MessageBody {
  package static let type: UInt8 = 16

  package var stream: UInt32
  /// How many bytes the app has taken so far.
  package var received: UInt64
  /// How many bytes the receiver of this message may send in all.
  package var limit: UInt64

  package init(stream: UInt32, received: UInt64, limit: UInt64) {
    self.stream = stream
    self.received = received
    self.limit = limit
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    stream = try members.required("stream", \.uint32)
    received = try members.required("received", \.uint64)
    limit = try members.required("limit", \.uint64)
  }

  package var members: [String: JSON] {
    ["stream": JSON(UInt64(stream)), "received": JSON(received), "limit": JSON(limit)]
  }
}
