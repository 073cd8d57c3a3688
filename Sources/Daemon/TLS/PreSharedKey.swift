// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// An external pre-shared key (RFC 8446 section 4.2.11) in the form that OpenSSL takes: a session to resume.
enum PreSharedKey {
  static let cipherSuite = "TLS_AES_128_GCM_SHA256"
  private static let cipherSuiteNumber: [UInt8] = [0x13, 0x01]

  /// Makes an `SSL_SESSION`, which the caller owns; nil if OpenSSL fails.
  static func makeEngine(key: [UInt8], for ssl: OpaquePointer?) -> OpaquePointer? {
    guard let session = SSL_SESSION_new() else { return nil }
    guard let cipher = SSL_CIPHER_find(ssl, cipherSuiteNumber),
      SSL_SESSION_set1_master_key(session, key, key.count) == 1,
      SSL_SESSION_set_cipher(session, cipher) == 1,
      SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1,
      SSL_SESSION_set1_id_context(session, SSLContext.sessionContext, UInt32(SSLContext.sessionContext.count)) == 1
    else {
      SSL_SESSION_free(session)
      return nil
    }
    return session
  }
}

/// A joiner's keys. The identity has its own memory, because OpenSSL reads it after the callback has returned.
final class JoiningKeys {
  let preSharedKey: [UInt8]
  let serverNameKey: [UInt8]
  let identity: UnsafeMutableBufferPointer<UInt8>

  init(_ keys: InvitationKeys, serverNameKey: [UInt8]) {
    preSharedKey = keys.preSharedKey
    self.serverNameKey = serverNameKey
    identity = .allocate(capacity: keys.identity.count)
    _ = identity.initialize(from: keys.identity)
  }

  deinit { identity.deallocate() }
}
