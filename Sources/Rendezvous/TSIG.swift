/// The signature at the end of a DNS message (RFC 8945).
struct TSIG: Equatable {
  /// The errors that a server states (section 3).
  enum Code {
    static let badSignature: UInt16 = 16
    static let badKey: UInt16 = 17
    static let badTime: UInt16 = 18
  }

  /// How much the clocks of both sides may differ, in seconds (section 10).
  static let fudge: UInt16 = 300
  /// The length of a MAC, in bytes.
  static let macLength = 32
  private static let hmacSHA256 = DNSName(wire: [11] + "hmac-sha256".utf8 + [0])

  let key: DNSName
  let algorithm: DNSName
  /// Seconds since 1970, in 48 bits.
  let time: UInt64
  let fudge: UInt16
  var mac: [UInt8] = []
  let originalID: UInt16
  var error: UInt16 = 0
  /// With the error BADTIME, the server's time.
  var other: [UInt8] = []

  init(key: DNSName, time: Int64, id: UInt16) {
    (self.key, algorithm, fudge, originalID) = (key, Self.hmacSHA256, Self.fudge, id)
    self.time = UInt64(max(0, time)) & 0xFFFF_FFFF_FFFF
  }

  /// Reads the data of the record.
  ///
  /// - Parameter key: The name of the record.
  init(key: DNSName, data: [UInt8]) throws(DNSFailure) {
    var reader = DNSReader(data)
    self.key = key
    algorithm = try reader.name()
    time = try reader.number(6)
    fudge = try reader.uint16()
    mac = Array(try reader.counted())
    originalID = try reader.uint16()
    error = try reader.uint16()
    other = Array(try reader.counted())
    guard reader.isAtEnd else { throw .malformed("a signature is too long") }
  }

  var usesSHA256: Bool { algorithm == Self.hmacSHA256 }

  /// What the MAC covers besides the message (section 4.3.3).
  var variables: [UInt8] {
    var bytes = key.wire
    bytes.append(number: DNSMessage.Code.any)
    bytes.append(number: UInt32(0))
    bytes += algorithm.wire
    appendTimes(to: &bytes)
    bytes.append(number: error)
    bytes.append(counted: other)
    return bytes
  }

  /// The record that ends a message.
  var record: [UInt8] {
    var data = algorithm.wire
    appendTimes(to: &data)
    data.append(counted: mac)
    data.append(number: originalID)
    data.append(number: error)
    data.append(counted: other)
    var bytes = key.wire
    bytes.append(number: DNSMessage.Code.tsig)
    bytes.append(number: DNSMessage.Code.any)
    bytes.append(number: UInt32(0))
    bytes.append(counted: data)
    return bytes
  }

  private func appendTimes(to bytes: inout [UInt8]) {
    bytes.append(number: UInt16(truncatingIfNeeded: time >> 32))
    bytes.append(number: UInt32(truncatingIfNeeded: time))
    bytes.append(number: fudge)
  }
}
