import JSONCoding

/// The answer to a `Ping`.
package struct Pong: MessageBody {
  package static let messageType = MessageType.pong

  /// The number of the ping.
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
