import JSONCoding

/// Ends one direction of a stream.
package struct Finish: MessageBody {
  package static let messageType = MessageType.finish

  package var stream: UInt32
  /// How many bytes were sent in this direction.
  package var length: UInt64

  package init(stream: UInt32, length: UInt64) {
    self.stream = stream
    self.length = length
  }
}
