import JSONCoding

/// Asks for a sign of life.
package struct Ping: MessageBody {
  package static let messageType = MessageType.ping

  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
