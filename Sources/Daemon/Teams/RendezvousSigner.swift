// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// An operator's or an account's key, with which it signs tokens.
package struct RendezvousSigner {
  private let key: PrivateKey
  package let publicKey: [UInt8]

  /// - Parameter seed: 32 bytes.
  package init(seed: [UInt8]) throws(TLSError) {
    key = try PrivateKey(seed: seed)
    publicKey = try key.rawPublicKey
  }

  package func sign(_ token: NATSToken) throws(TLSError) -> String {
    let id = Base32.encode(SystemRandom.bytes(16))
    return try token.text(issuer: publicKey, id: id) { text throws(TLSError) in try key.sign(text) }
  }

  /// Whether a text is a token that this signer has made for an account.
  func hasSigned(_ text: String, of account: [UInt8]) -> Bool {
    guard NATSToken.subject(in: text) == NATSKey.text(.account, account),
      let dot = text.unicodeScalars.lastIndex(of: "."),
      let signature = Base64URL.decode(String(text.rest(after: dot)))
    else { return false }
    return PrivateKey.isSigned(Array(text[..<dot].utf8), with: signature, by: publicKey)
  }

  /// The token of an operator, which its servers' configuration contains.
  ///
  /// - Parameter system: The public key of its system account.
  package func operatorToken(system: [UInt8], now: Int64) throws(TLSError) -> String {
    try sign(NATSToken(.operator(system: system), name: "operator", subject: publicKey, issued: now))
  }

  package func systemToken(_ system: [UInt8], now: Int64) throws(TLSError) -> String {
    try sign(NATSToken(.system, name: "system", subject: system, issued: now))
  }

  /// The token of a team's account. It does not say which team it is.
  package func accountToken(
    _ account: [UInt8],
    revoked: NATSRevocations,
    now: Int64
  ) throws(TLSError) -> String {
    try sign(NATSToken(.account(revoked: revoked), name: "team", subject: account, issued: now))
  }
}
