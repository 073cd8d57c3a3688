/// A key that this machine shares with a zone's primary server.
package struct TSIGKey: Sendable {
  package let name: DNSName
  private let authenticate: @Sendable ([UInt8]) -> [UInt8]

  /// - Parameter authenticate: Returns the HMAC-SHA256 of a message with the key's secret: 32 bytes.
  package init(_ name: DNSName, authenticate: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    (self.name, self.authenticate) = (name, authenticate)
  }

  /// Signs a message that has no additional records.
  ///
  /// - Parameters:
  ///   - signature: All but the MAC.
  ///   - request: The MAC of the request, if the message is a response.
  /// - Returns: The signed message, and its MAC.
  func sign(
    _ message: [UInt8],
    _ signature: TSIG,
    request: [UInt8]? = nil
  ) -> (bytes: [UInt8], mac: [UInt8]) {
    var signature = signature
    signature.mac = mac(of: message, signature, request: request)
    var bytes = message
    // The number of additional records is 1.
    bytes.replaceSubrange(10..<DNSMessage.headerLength, with: [0, 1])
    return (bytes + signature.record, signature.mac)
  }

  /// Whether a response was signed with the key, for this request.
  ///
  /// - Parameters:
  ///   - message: The response before its signature. Its header does not count the signature.
  ///   - request: The MAC of the request.
  func signed(_ message: [UInt8], _ signature: TSIG, request: [UInt8]) -> Bool {
    guard signature.key == name, signature.usesSHA256, signature.mac.count == TSIG.macLength else { return false }
    let expected = mac(of: message, signature, request: request)
    // All bytes are compared, so that the time does not reveal how many are right.
    return expected.count == TSIG.macLength && zip(expected, signature.mac).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func mac(of message: [UInt8], _ signature: TSIG, request: [UInt8]?) -> [UInt8] {
    var covered: [UInt8] = []
    if let request { covered.append(counted: request) }
    return authenticate(covered + message + signature.variables)
  }
}
