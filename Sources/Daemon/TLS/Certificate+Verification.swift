// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

extension Certificate {
  /// Checks a device certificate like a handshake does, but without one.
  ///
  /// - Parameters:
  ///   - authority: The team's authority.
  ///   - revocations: The team's revocation lists.
  ///   - now: Seconds since 1970.
  /// - Throws: The reason for which a peer would refuse the certificate.
  package func verify(
    under authority: Certificate,
    revocations: RevocationLists = RevocationLists(),
    now: Int64
  ) throws(TLSError) {
    OpenSSL.start()
    let team = try authority.teamID
    let verification = Verification(team: team, revocations: revocations, now: now)
    guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new() else {
      throw .fromOpenSSL(doing: "Checking a certificate")
    }
    defer {
      X509_STORE_CTX_free(context)
      X509_STORE_free(store)
      ERR_clear_error()
    }
    guard X509_STORE_add_cert(store, authority.pointer) == 1,
      X509_STORE_CTX_init(context, store, pointer, nil) == 1
    else { throw .fromOpenSSL(doing: "Checking a certificate") }
    X509_STORE_CTX_set_depth(context, 0)
    X509_STORE_CTX_set_time(context, 0, Int(now))
    X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(verification).toOpaque())
    X509_STORE_CTX_set_verify_cb(context) { passed, context in
      guard let context, let data = X509_STORE_CTX_get_ex_data(context, 0) else { return 0 }
      return Unmanaged<Verification>.fromOpaque(data).takeUnretainedValue().step(passed: passed == 1, in: context)
    }
    let verified = withExtendedLifetime(verification) { X509_verify_cert(context) == 1 }
    if let objection = verification.objection { throw objection }
    guard verified else {
      let error = X509_STORE_CTX_get_error(context)
      throw TLSError(CertificateRules.reason(ofVerifyError: error), CertificateRules.text(ofVerifyError: error))
    }
  }
}

/// One run of OpenSSL's verification, for its callback.
private final class Verification {
  let team: TeamID
  let revocations: RevocationLists
  let now: Int64
  var objection: TLSError?

  init(team: TeamID, revocations: RevocationLists, now: Int64) {
    self.team = team
    self.revocations = revocations
    self.now = now
  }

  func step(passed: Bool, in context: OpaquePointer) -> Int32 {
    guard
      let objection = CertificateRules.objection(
        passed: passed,
        in: context,
        team: team,
        revocations: revocations,
        now: now
      )
    else { return 1 }
    self.objection = objection
    X509_STORE_CTX_set_error(context, CertificateRules.verifyError(for: objection.reason))
    return 0
  }
}
