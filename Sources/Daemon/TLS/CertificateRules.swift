// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The rules for a device certificate, in addition to what OpenSSL checks about signatures, times and purpose.
enum CertificateRules {
  /// How long before its validity begins a certificate is accepted, in seconds, because new machines may have wrong
  /// clocks.
  static let notBeforeTolerance: Int64 = 24 * 60 * 60

  /// Returns the objection to one step of OpenSSL's verification; nil if it may continue. OpenSSL's callback calls
  /// this.
  ///
  /// - Parameters:
  ///   - passed: Whether OpenSSL found nothing wrong in this step.
  ///   - context: `X509_STORE_CTX`.
  ///   - team: The team that both sides must be in.
  ///   - revocations: The team's revocation lists.
  ///   - now: Seconds since 1970.
  static func objection(
    passed: Bool,
    in context: OpaquePointer,
    team: TeamID,
    revocations: RevocationLists,
    now: Int64
  ) -> TLSError? {
    if !passed {
      let error = X509_STORE_CTX_get_error(context)
      guard error == X509_V_ERR_CERT_NOT_YET_VALID, isTolerablyEarly(context, now: now) else {
        let reason = reason(ofVerifyError: error)
        guard reason != .certificateInvalid || isSigned(context, by: team) else {
          return TLSError(.otherTeam, text(ofVerifyError: error))
        }
        return TLSError(reason, text(ofVerifyError: error))
      }
      // Otherwise, the recorded error would be the result of the whole verification.
      X509_STORE_CTX_set_error(context, X509_V_OK)
    }
    guard X509_STORE_CTX_get_error_depth(context) == 0 else { return nil }
    return objection(toChain: X509_STORE_CTX_get0_chain(context), team: team, revocations: revocations)
  }

  /// - Parameter chain: A stack of `X509`, the leaf first.
  static func objection(
    toChain chain: OpaquePointer?,
    team: TeamID,
    revocations: RevocationLists
  ) -> TLSError? {
    guard baton_X509_chain_count(chain) == 2, let leaf = baton_X509_chain_at(chain, 0),
      let issuer = baton_X509_chain_at(chain, 1)
    else { return TLSError(.certificateInvalid, "The chain isn't a device's certificate followed by its team's") }
    guard let hash = try? PublicKey.hash(ofCertificate: issuer), equalInConstantTime(hash, team.bytes) else {
      return TLSError(.otherTeam, "The certificate is from a different team")
    }
    if let objection = objection(toLeaf: leaf) { return objection }
    guard revocations.names(certificate: leaf) else { return nil }
    return TLSError(.certificateRevoked, "The device was removed from the team")
  }

  private static func objection(toLeaf leaf: OpaquePointer) -> TLSError? {
    // OpenSSL accepts a certificate without extended key usages for any purpose.
    guard X509_get_extension_flags(leaf) & UInt32(EXFLAG_CA) == 0, X509_check_ca(leaf) == 0 else {
      return TLSError(.certificateInvalid, "The certificate belongs to an authority")
    }
    let both = UInt32(XKU_SSL_SERVER | XKU_SSL_CLIENT)
    guard X509_get_extension_flags(leaf) & UInt32(EXFLAG_XKUSAGE) != 0,
      X509_get_extended_key_usage(leaf) & both == both
    else { return TLSError(.certificateInvalid, "The certificate isn't valid for both sides of a connection") }
    // In a server's certificate, OpenSSL would also accept key agreement, which TLS 1.3 does not have.
    guard X509_get_key_usage(leaf) & UInt32(KU_DIGITAL_SIGNATURE) != 0 else {
      return TLSError(.certificateInvalid, "The certificate isn't valid for signatures")
    }
    guard let key = X509_get0_pubkey(leaf), PublicKey.isOfDevice(key) else {
      return TLSError(.certificateInvalid, "The key is neither Ed25519 nor P-256")
    }
    return nil
  }

  /// Whether the certificate leads to the team's key by signatures. OpenSSL checks them last: it builds the chain by
  /// names, which all teams share, and looks at extensions. So a stranger's certificate may be found wrong before.
  private static func isSigned(_ context: OpaquePointer, by team: TeamID) -> Bool {
    let chain = X509_STORE_CTX_get0_chain(context)
    let count = baton_X509_chain_count(chain)
    guard count > 1, let last = baton_X509_chain_at(chain, count - 1),
      let hash = try? PublicKey.hash(ofCertificate: last), equalInConstantTime(hash, team.bytes)
    else { return false }
    return (1..<count).allSatisfy { place in
      guard let certificate = baton_X509_chain_at(chain, place - 1), let issuer = baton_X509_chain_at(chain, place),
        let key = X509_get0_pubkey(issuer)
      else { return false }
      return X509_verify(certificate, key) == 1
    }
  }

  private static func isTolerablyEarly(_ context: OpaquePointer, now: Int64) -> Bool {
    guard let certificate = X509_STORE_CTX_get_current_cert(context) else { return false }
    var limit = Int(now + notBeforeTolerance)
    return X509_cmp_time(X509_get0_notBefore(certificate), &limit) < 0
  }

  static func reason(ofVerifyError error: Int32) -> Reason {
    switch error {
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .certificateExpired
    case X509_V_ERR_CERT_REVOKED: .certificateRevoked
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_SIGNATURE_FAILURE:
      .otherTeam
    default: .certificateInvalid
    }
  }

  static func text(ofVerifyError error: Int32) -> String {
    String(cString: X509_verify_cert_error_string(Int(error)))
  }

  /// Returns the verify error that makes OpenSSL send the alert which tells the other side this reason.
  static func verifyError(for reason: Reason) -> Int32 {
    switch reason {
    case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
    case .certificateRevoked: X509_V_ERR_CERT_REVOKED
    case .otherTeam: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT
    default: X509_V_ERR_CERT_REJECTED
    }
  }
}
