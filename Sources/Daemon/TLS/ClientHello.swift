// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// What a ClientHello says. A server reads it before OpenSSL acts on it.
enum ClientHello {
  static let serverNameExtension: UInt16 = 0
  static let protocolsExtension: UInt16 = 16

  /// Returns the server name (RFC 6066 section 3) if it has the length of ours (`SSL_client_hello_get0_ext`).
  static func serverName(_ ssl: OpaquePointer?) -> String? {
    bytes(of: serverNameExtension, ssl).flatMap { serverName(ofExtension: Array($0)) }
  }

  static func serverName(ofExtension bytes: [UInt8]) -> String? {
    // A list of one host name: length of the list, type 0, length of the name.
    let length = UInt8(ServerName.length)  // Checked length: 45.
    let header: [UInt8] = [0, length + 3, 0, 0, length]
    guard bytes.count == header.count + ServerName.length, bytes.starts(with: header) else { return nil }
    return String(decoding: bytes.dropFirst(header.count), as: UTF8.self)
  }

  /// Whether the client offers any application protocols.
  static func hasProtocols(_ ssl: OpaquePointer?) -> Bool { bytes(of: protocolsExtension, ssl) != nil }

  /// Whether the client offers Baton only in other versions.
  static func isOfOtherVersion(_ ssl: OpaquePointer?) -> Bool {
    bytes(of: protocolsExtension, ssl).map { isOfOtherVersion(protocols: Array($0)) } ?? false
  }

  /// - Parameter bytes: The extension: the length of the list in 2 bytes, and the list.
  static func isOfOtherVersion(protocols bytes: [UInt8]) -> Bool {
    bytes.dropFirst(2).withContiguousStorageIfAvailable(ApplicationProtocol.areOfOtherVersions) ?? false
  }

  private static func bytes(of type: UInt16, _ ssl: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    var start: UnsafePointer<UInt8>?
    var length = 0
    guard SSL_client_hello_get0_ext(ssl, UInt32(type), &start, &length) == 1 else { return nil }
    return UnsafeBufferPointer(start: start, count: length)
  }
}
