// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// An extension of a revocation list or certificate: 32 bytes in an OCTET STRING. Its name is ours alone (an arc of
/// ITU-T X.667: 2.25 and the number of a UUID). It is not critical, so other programs can ignore it.
struct PrivateExtension {
  /// In an entry of a list: the Device ID.
  static let device = PrivateExtension(name: "2.25.326261705207802335677213848121022992324")

  /// In a list: the SHA-256 of the discovery key that belongs to it.
  static let discoveryKey = PrivateExtension(name: "2.25.222122423742223066061347537315953485044")

  /// In a certificate: the nonce of the request that it answers.
  static let nonce = PrivateExtension(name: "2.25.151238874214517330923486134262918311475")

  /// In a certificate: the ID of the team whose key the device has, too.
  static let administrator = PrivateExtension(name: "2.25.258987862609182920472477356452109827657")

  static let byteCount = 32
  /// The tag and the length in DER.
  private static let head: [UInt8] = [0x04, UInt8(byteCount)]

  private let name: String

  /// Gives `body` the extension (`X509_EXTENSION`) with these 32 bytes. The result is nil if there is no memory.
  func with<T>(_ bytes: [UInt8], _ body: (OpaquePointer) -> T) -> T? {
    withName { name in
      let content = Self.head + bytes
      guard let value = ASN1_OCTET_STRING_new() else { return nil }
      defer { ASN1_STRING_free(value) }
      guard ASN1_OCTET_STRING_set(value, content, Int32(content.count)) == 1,
        let made = X509_EXTENSION_create_by_OBJ(nil, name, 0, value)
      else { return nil }
      defer { X509_EXTENSION_free(made) }
      return body(made)
    }
  }

  /// Returns the 32 bytes of the extension in an entry (`X509_REVOKED`); nil if it has none.
  func bytes(ofEntry entry: OpaquePointer) -> [UInt8]? {
    withName { name in
      let index = X509_REVOKED_get_ext_by_OBJ(entry, name, -1)
      return index < 0 ? nil : Self.bytes(of: X509_REVOKED_get_ext(entry, index))
    }
  }

  /// Returns the 32 bytes of the extension in a list (`X509_CRL`); nil if it has none.
  func bytes(ofList list: OpaquePointer) -> [UInt8]? {
    withName { name in
      let index = X509_CRL_get_ext_by_OBJ(list, name, -1)
      return index < 0 ? nil : Self.bytes(of: X509_CRL_get_ext(list, index))
    }
  }

  /// Returns the 32 bytes of the extension in a certificate (`X509`); nil if it has none.
  func bytes(ofCertificate certificate: OpaquePointer) -> [UInt8]? {
    withName { name in
      let index = X509_get_ext_by_OBJ(certificate, name, -1)
      return index < 0 ? nil : Self.bytes(of: X509_get_ext(certificate, index))
    }
  }

  private static func bytes(of found: OpaquePointer?) -> [UInt8]? {
    guard let value = X509_EXTENSION_get_data(found) else { return nil }
    let content = Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    guard content.count == head.count + byteCount, content.starts(with: head) else { return nil }
    return Array(content.dropFirst(head.count))
  }

  private func withName<T>(_ body: (OpaquePointer) -> T?) -> T? {
    guard let object = OBJ_txt2obj(name, 1) else { return nil }
    defer { ASN1_OBJECT_free(object) }
    return body(object)
  }
}
