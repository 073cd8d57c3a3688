/// What a connection is for, which is its protocol in ALPN (RFC 7301).
package enum ApplicationProtocol: String, Sendable {
  /// Between devices of a team.
  case peer = "baton/1"
  /// Between a device that is to become one and the team's administrator.
  case join = "baton-join/1"

  /// As a list of one, as ALPN writes lists.
  var listed: [UInt8] { [UInt8(rawValue.utf8.count)] + rawValue.utf8 }

  /// Where its name is in a list of the other side's.
  func position(in list: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    position(in: list) { $0.elementsEqual(rawValue.utf8) }
  }

  /// Whether a list of the other side's has its name with another version.
  func hasOtherVersion(in list: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = rawValue.utf8.prefix { $0 != UInt8(ascii: "/") } + [UInt8(ascii: "/")]
    return position(in: list) { $0.starts(with: name) } != nil
  }

  private func position(
    in list: UnsafeBufferPointer<UInt8>,
    where isFitting: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool
  ) -> Range<Int>? {
    var rest = list[...]
    while let length = rest.popFirst() {
      let name = rest.prefix(Int(length))
      if isFitting(name) { return name.startIndex..<name.endIndex }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }
}
