import Activity

/// A TXT record's data (RFC 1035, section 3.3.14).
package struct TXTRecord: Hashable, Sendable {
  /// The maximum length of one string, in bytes.
  private static let stringLength = 255

  /// Strings with their lengths. Servers delete a record only if all of this is the same, and others may have divided
  /// their texts elsewhere.
  let data: [UInt8]

  /// What all its strings contain together.
  package let bytes: [UInt8]

  /// Divides the bytes into as few strings as possible.
  package init(_ bytes: [UInt8]) {
    var (data, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    repeat {
      let string = rest.prefix(Self.stringLength)
      rest = rest.dropFirst(string.count)
      data.append(UInt8(string.count))
      data += string
    } while !rest.isEmpty
    (self.data, self.bytes) = (data, bytes)
  }

  /// - Parameter data: What a server sent.
  /// - Returns: Nil if there is no string, or a string has no end.
  init?(data: ArraySlice<UInt8>) {
    var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], data)
    while let length = rest.popFirst() {
      guard let string = rest.takeFirst(Int(length)) else { return nil }
      bytes += string
    }
    guard !data.isEmpty else { return nil }
    (self.data, self.bytes) = (Array(data), bytes)
  }

  /// The record of sealed bytes. It contains them in base 64 for URLs, although any bytes would be allowed: the servers
  /// and web pages of some providers keep records as text, and change other bytes. A record that was changed cannot be
  /// opened, and its owner does not recognize it to delete it. 64 records still fit into one message.
  ///
  /// - Returns: Nil if the text would be longer than ``Limits/dnsTextLength``.
  package init?(sealed: [UInt8]) {
    // Otherwise, it need not be encoded.
    guard sealed.count <= Limits.dnsTextLength else { return nil }
    let text = Array(Base64URL.encode(sealed).utf8)
    guard text.count <= Limits.dnsTextLength else { return nil }
    self.init(text)
  }

  /// The sealed bytes that it contains. Nil if it is no record of sealed bytes.
  package var sealed: [UInt8]? { bytes.count <= Limits.dnsTextLength ? Base64URL.decode(bytes) : nil }
}
