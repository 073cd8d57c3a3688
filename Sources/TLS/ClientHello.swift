import COpenSSL

/// What a ClientHello says, as a server reads it before OpenSSL acts on it (`SSL_client_hello_get0_ext`).
enum ClientHello {
  private static let serverNameExtension: UInt32 = 0
  private static let protocolsExtension: UInt32 = 16

  /// The server name (RFC 6066 section 3), where there is one of the length of ours.
  static func serverName(_ ssl: OpaquePointer?) -> String? {
    guard let bytes = bytes(of: serverNameExtension, ssl) else { return nil }
    // A list of one host name: length of the list, type 0, length of the name.
    let length = UInt8(ServerName.length)
    let header: [UInt8] = [0, length + 3, 0, 0, length]
    guard bytes.count == header.count + ServerName.length, bytes.starts(with: header) else { return nil }
    return String(decoding: bytes.dropFirst(header.count), as: UTF8.self)
  }

  /// Whether it offers application protocols at all.
  static func hasProtocols(_ ssl: OpaquePointer?) -> Bool { bytes(of: protocolsExtension, ssl) != nil }

  private static func bytes(of type: UInt32, _ ssl: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    var start: UnsafePointer<UInt8>?
    var length = 0
    guard SSL_client_hello_get0_ext(ssl, type, &start, &length) == 1 else { return nil }
    return UnsafeBufferPointer(start: start, count: length)
  }
}
