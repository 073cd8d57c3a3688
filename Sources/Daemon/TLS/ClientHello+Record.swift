// SPDX-License-Identifier: Apache-2.0

import Activity

/// A ClientHello as it comes from the network (RFC 8446 sections 4.1.2 and 5.1). It is read before OpenSSL is involved,
/// so that refusing a stranger costs little.
extension ClientHello {
  enum Record: Equatable {
    case incomplete
    case malformed
    /// - Parameters:
    ///   - name: The server name; nil if there is none, or none with the length of ours.
    ///   - isOfOtherVersion: Whether the client offers Baton only in other versions.
    case said(name: String?, isOfOtherVersion: Bool)
  }

  private static let handshakeRecord: UInt8 = 22
  private static let clientHello: UInt8 = 1

  /// Reads the first record of a connection, which must contain the whole message.
  static func read(_ bytes: [UInt8]) -> Record {
    var rest = bytes[...]
    guard rest.first.map({ $0 == handshakeRecord }) ?? true else { return .malformed }
    guard rest.takeFirst(1) != nil, let version = rest.takeFirst(2), let length = rest.takeNumber(2) else {
      return .incomplete
    }
    guard version.first == 3, length <= Limits.clientHelloLength else { return .malformed }
    guard var record = rest.takeFirst(length) else { return .incomplete }
    guard record.takeNumber(1) == Int(clientHello), let count = record.takeNumber(3),
      var message = record.takeFirst(count),
      // The version and the random bytes; then the session, the cipher suites and the compression methods.
      message.takeFirst(2 + 32) != nil, message.takeVector(1) != nil, message.takeVector(2) != nil,
      message.takeVector(1) != nil, var extensions = message.takeVector(2)
    else { return .malformed }
    var (name, isOfOtherVersion): (String?, Bool) = (nil, false)
    while !extensions.isEmpty {
      guard let type = extensions.takeNumber(2), let body = extensions.takeVector(2) else { return .malformed }
      switch type {
      case Int(serverNameExtension): name = serverName(ofExtension: Array(body))
      case Int(protocolsExtension): isOfOtherVersion = Self.isOfOtherVersion(protocols: Array(body))
      default: break
      }
    }
    return .said(name: name, isOfOtherVersion: isOfOtherVersion)
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number with this many bytes, at most three.
  fileprivate mutating func takeNumber(_ length: Int) -> Int? { takeFirst(length)?.reduce(0) { $0 << 8 | Int($1) } }

  /// Takes a value that follows its own length, which is a number with this many bytes.
  fileprivate mutating func takeVector(_ lengthOfLength: Int) -> ArraySlice<UInt8>? {
    takeNumber(lengthOfLength).flatMap { takeFirst($0) }
  }
}
