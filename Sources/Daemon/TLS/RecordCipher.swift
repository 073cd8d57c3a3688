// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The protection of the records that one side sends: their keys, and OpenSSL's cipher (RFC 8446 sections 5.2 to 5.4
/// and 7.3).
final class RecordCipher {
  /// The header of a record: its type, a version that means nothing, and the length of the rest.
  static let headerLength = 5
  static let tagLength = 16
  /// The most bytes of plaintext that a record contains.
  static let plaintextLength = 16 * 1024
  /// How many bytes a record is longer than its plaintext, without padding.
  static let overhead = headerLength + 1 + tagLength

  /// `EVP_CIPHER_CTX`, owned.
  private let context: OpaquePointer
  private let suite: CipherSuite
  private let isSending: Bool
  private var secret: [UInt8]
  /// The 12 bytes that are different for each record under the same key.
  private let nonce = UnsafeMutableRawPointer.allocate(byteCount: 12, alignment: 8)
  /// The last 8 of them for the first record.
  private var firstNonce: UInt64 = 0
  /// How many records were protected with the present key.
  private(set) var count: UInt64 = 0

  /// - Parameters:
  ///   - secret: The traffic secret of this direction, as long as the suite's hash.
  ///   - isSending: Whether to encrypt.
  init(_ suite: CipherSuite, secret: [UInt8], isSending: Bool) throws(TLSError) {
    guard let context = EVP_CIPHER_CTX_new() else { throw .fromOpenSSL(doing: "Creating a cipher") }
    (self.context, self.suite, self.secret, self.isSending) = (context, suite, secret, isSending)
    guard EVP_CipherInit_ex(context, suite.cipher, nil, nil, nil, isSending ? 1 : 0) == 1 else {
      throw .fromOpenSSL(doing: "Creating a cipher")
    }
    try useSecret()
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    OPENSSL_cleanse(nonce, 12)
    nonce.deallocate()
    OPENSSL_cleanse(&secret, secret.count)
  }

  /// Replaces the key by the next one (`KeyUpdate`).
  func renew() throws(TLSError) {
    var old = secret
    secret = suite.expand(old, "traffic upd", length: old.count)
    OPENSSL_cleanse(&old, old.count)
    try useSecret()
  }

  private func useSecret() throws(TLSError) {
    var key = suite.expand(secret, "key", length: suite.keyLength)
    var first = suite.expand(secret, "iv", length: 12)
    defer {
      OPENSSL_cleanse(&key, key.count)
      OPENSSL_cleanse(&first, first.count)
    }
    guard EVP_CipherInit_ex(context, nil, nil, key, nil, -1) == 1 else {
      throw .fromOpenSSL(doing: "Setting a key")
    }
    nonce.copyMemory(from: first, byteCount: 12)
    firstNonce = UInt64(bigEndian: nonce.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    count = 0
  }

  /// Encrypts a record with the next nonce.
  ///
  /// - Parameters:
  ///   - plaintext: At most ``plaintextLength`` bytes.
  ///   - type: What they are (``RecordType``).
  ///   - record: Has room for ``overhead`` bytes more. It does not overlap with `plaintext`.
  /// - Throws: `internalFailure` if OpenSSL fails.
  func seal(
    _ plaintext: UnsafeRawBufferPointer,
    _ type: UInt8,
    into record: UnsafeMutableRawPointer
  ) throws(TLSError) {
    let length = plaintext.count + 1 + Self.tagLength
    let start = record.assumingMemoryBound(to: UInt8.self)
    (start[0], start[1], start[2]) = (RecordType.data.rawValue, 3, 3)
    (start[3], start[4]) = (UInt8(length >> 8), UInt8(length & 0xFF))
    let body = start + Self.headerLength
    var type = type
    var written: Int32 = 0
    guard begin(header: start), update(plaintext, into: body),
      EVP_CipherUpdate(context, body + plaintext.count, &written, &type, 1) == 1,
      EVP_CipherFinal_ex(context, body + plaintext.count + 1, &written) == 1,
      baton_EVP_CIPHER_CTX_get_tag(context, body + plaintext.count + 1, Int32(Self.tagLength)) == 1
    else { throw .fromOpenSSL(doing: "Encrypting") }
  }

  /// Decrypts a record with the next nonce.
  ///
  /// - Parameters:
  ///   - record: A whole one, with more than ``overhead`` - 1 bytes.
  ///   - plaintext: Has room for all bytes of the record's content but the last one: ``overhead`` bytes less than the
  ///     record. If the result is nil, what it contains is worth nothing.
  /// - Returns: The last byte of the content; nil if the record is not one that the other side has sent next.
  func open(_ record: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawPointer) -> UInt8? {
    guard let start = record.baseAddress?.assumingMemoryBound(to: UInt8.self), record.count >= Self.overhead else {
      return nil
    }
    let length = record.count - Self.overhead
    let body = UnsafeRawBufferPointer(start: start + Self.headerLength, count: length)
    let tag = UnsafeMutableRawPointer(mutating: start + record.count - Self.tagLength)
    var last: UInt8 = 0
    var written: Int32 = 0
    guard begin(header: start), update(body, into: plaintext.assumingMemoryBound(to: UInt8.self)),
      EVP_CipherUpdate(context, &last, &written, start + Self.headerLength + length, 1) == 1,
      baton_EVP_CIPHER_CTX_set_tag(context, tag, Int32(Self.tagLength)) == 1,
      EVP_CipherFinal_ex(context, &last, &written) == 1
    else {
      ERR_clear_error()
      return nil
    }
    return last
  }

  private func begin(header: UnsafePointer<UInt8>) -> Bool {
    // The caller renews the key long before this wraps, so no nonce comes twice.
    let (next, isOver) = count.addingReportingOverflow(1)
    guard !isOver else { return false }
    nonce.storeBytes(of: (firstNonce ^ count).bigEndian, toByteOffset: 4, as: UInt64.self)
    count = next
    var written: Int32 = 0
    return EVP_CipherInit_ex(context, nil, nil, nil, nonce.assumingMemoryBound(to: UInt8.self), -1) == 1
      && EVP_CipherUpdate(context, nil, &written, header, Int32(Self.headerLength)) == 1
  }

  private func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let start = input.baseAddress, !input.isEmpty else { return true }
    var written: Int32 = 0
    return EVP_CipherUpdate(context, output, &written, start.assumingMemoryBound(to: UInt8.self), Int32(input.count))
      == 1
  }
}

/// What a record contains (RFC 8446 section 5.1).
enum RecordType: UInt8 {
  case alert = 21
  case handshake = 22
  case data = 23
}
