// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import TLS

/// The team's key as an administrator's machine stores it, and as another administrator receives it.
enum AuthorityKey {
  case plain(PrivateKey)
  case sealed(SealedAuthorityKey)

  /// Reads a key. The result is nil if the text is neither form.
  init?(text: String) {
    guard text.utf8.count <= Limits.certificateLength else { return nil }
    if let sealed = SealedAuthorityKey(text: text) {
      self = .sealed(sealed)
    } else if let key = try? PrivateKey(pem: text) {
      self = .plain(key)
    } else {
      return nil
    }
  }

  /// PEM, or a JSON object.
  var text: String {
    get throws(TLSError) {
      switch self {
      case .plain(let key): try key.pem()
      case .sealed(let sealed): sealed.text
      }
    }
  }

  var administration: Team.Administration {
    if case .sealed = self { .sealed } else { .here }
  }

  /// Whether it can be the key of this authority. For a sealed key, only someone who opens it can tell.
  func canBe(of authority: Certificate) -> Bool {
    if case .plain(let key) = self { authority.isFor(key) } else { true }
  }
}

/// A team's key that a passphrase opens (Protocol.md section 9).
struct SealedAuthorityKey: Equatable {
  private static let label = Array("baton authority key 1".utf8)
  private static let depth = 2

  /// The salt for the ``PassphraseKey``.
  let salt: [UInt8]
  /// The nonce, followed by the sealed content.
  private let sealed: [UInt8]

  /// - Throws: `internalFailure`.
  init(_ authority: Authority, with key: PassphraseKey) throws(TLSError) {
    salt = key.salt
    let nonce = SystemRandom.bytes(Sealer.nonceLength)
    guard let sealer = Sealer(key: key.sealer) else { throw TLSError(.internalFailure, "The key has the wrong length") }
    let content = try Array(authority.key.pem().utf8)
    sealed = nonce + (try sealer.seal(content, nonce: nonce, additional: Self.additional(authority.certificate)))
  }

  /// Reads a sealed key. The result is nil if the text is not one.
  init?(text: String) {
    guard let object = (try? JSON(parsing: text.utf8, depth: Self.depth))?.object,
      let salt = object["salt"]?.string.flatMap(Base64.decode), salt.count == Scrypt.saltLength,
      let sealed = object["sealed"]?.string.flatMap(Base64.decode),
      sealed.count > Sealer.nonceLength + Sealer.tagLength
    else { return nil }
    self.salt = salt
    self.sealed = sealed
  }

  var text: String {
    JSON.object(["salt": .string(Base64.encode(salt)), "sealed": .string(Base64.encode(sealed))]).text + "\n"
  }

  /// Opens the key. The result is nil if the key is from another passphrase, or the content was sealed for another
  /// team. Throws if the content is not the key of this authority.
  func open(with key: PassphraseKey, for certificate: Certificate) throws(TLSError) -> Authority? {
    let nonce = Array(sealed.prefix(Sealer.nonceLength))
    let ciphertext = Array(sealed.dropFirst(Sealer.nonceLength))
    let additional = try Self.additional(certificate)
    guard let content = Sealer(key: key.sealer)?.open(ciphertext, nonce: nonce, additional: additional) else {
      return nil
    }
    return try Authority(key: PrivateKey(pem: String(decoding: content, as: UTF8.self)), certificate: certificate)
  }

  private static func additional(_ certificate: Certificate) throws(TLSError) -> [UInt8] {
    label + (try certificate.teamID.bytes)
  }
}
