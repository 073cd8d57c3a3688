import JSONCoding

/// Asks for a sign of life.
package struct Ping: MessageBody {
  package static let type: UInt8 = 5

  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
