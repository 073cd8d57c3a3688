// SPDX-License-Identifier: Apache-2.0

/// The purpose of a connection, which is its protocol in ALPN (RFC 7301).
package enum ApplicationProtocol: String, Sendable, CaseIterable {
  /// Between devices of a team.
  case peer = "baton/1"
  /// Between a joining device and an administrator of the team.
  case join = "baton-join/1"

  /// A list that contains only this protocol, in the format of ALPN.
  var listed: [UInt8] { [UInt8(rawValue.utf8.count)] + rawValue.utf8 }

  /// Returns the position of its name in the other side's list.
  func position(in list: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    position(in: list) { $0.elementsEqual(rawValue.utf8) }
  }

  /// Whether the other side's list contains its name with another version.
  func hasOtherVersion(in list: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = rawValue.utf8.prefix { $0 != UInt8(ascii: "/") } + [UInt8(ascii: "/")]
    return position(in: list) { $0.starts(with: name) } != nil
  }

  /// Whether a client that lists these speaks Baton, but no version that we know.
  static func areOfOtherVersions(_ list: UnsafeBufferPointer<UInt8>) -> Bool {
    allCases.contains { $0.hasOtherVersion(in: list) } && allCases.allSatisfy { $0.position(in: list) == nil }
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
