import JSONCoding

/// The answer to a `Ping`.
package struct Pong: MessageBody {
  package static let type: UInt8 = 6

  /// The number of the ping.
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    number = try members.required("number", \.uint64)
  }

  package var members: [String: JSON] {
    ["number": JSON(number)]
  }
}
