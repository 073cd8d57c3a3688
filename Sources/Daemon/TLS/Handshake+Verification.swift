// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import Glibc

extension Handshake {
  /// Judges one step in the verification of the other side's certificate (`SSL_CTX_set_verify`). If we object, OpenSSL
  /// ends the handshake with the alert for our reason.
  func verify(passed: Bool, in context: OpaquePointer?) -> Int32 {
    guard let context, let objection = objection(passed: passed, in: context) else { return 1 }
    refuse(objection)
    X509_STORE_CTX_set_error(context, CertificateRules.verifyError(for: objection.reason))
    return 0
  }

  private func objection(passed: Bool, in context: OpaquePointer) -> TLSError? {
    guard let team else {
      return TLSError(.invitationUnknown, "The other side sent a certificate instead of proving the invitation")
    }
    let now = Int64(time(nil))
    let chainObjection = CertificateRules.objection(
      passed: passed,
      in: context,
      team: team,
      revocations: revocations,
      now: now
    )
    if let chainObjection { return chainObjection }
    guard X509_STORE_CTX_get_error_depth(context) == 0 else { return nil }
    let ssl = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()).map { OpaquePointer($0) }
    guard isProtocolSelected(ssl) else { return TLSError(.notTLS, "No application protocol was selected") }
    return objection(toDeviceOf: X509_STORE_CTX_get_current_cert(context))
  }

  private func objection(toDeviceOf certificate: OpaquePointer?) -> TLSError? {
    guard let expecting else { return nil }
    guard let certificate, let device = try? Certificate(retaining: certificate).deviceID, device == expecting else {
      return TLSError(.peerNotFound, "The certificate belongs to a different device of the team")
    }
    return nil
  }

  private func isProtocolSelected(_ ssl: OpaquePointer?) -> Bool {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual(application.rawValue.utf8)
  }

  /// Checks what must hold after any handshake that OpenSSL has finished.
  ///
  /// - Returns: The peer's certificate; nil if the peer is a joining device, or the administrator with which this
  ///   device joins.
  /// - Throws: The reason to end the connection. The other side is not told.
  func conclude(_ ssl: OpaquePointer) throws(TLSError) -> Certificate? {
    if let objection { throw objection }
    guard SSL_version(ssl) == TLS1_3_VERSION else { throw TLSError(.notTLS, "The connection doesn't use TLS 1.3") }
    guard isProtocolSelected(ssl) else { throw TLSError(.notTLS, "No application protocol was selected") }
    switch application {
    case .join:
      guard SSL_session_reused(ssl) == 1, SSL_get0_peer_certificate(ssl) == nil, !isServer || invitation != nil else {
        throw TLSError(.invitationUnknown, "The other side didn't prove the invitation")
      }
      return nil
    case .peer:
      guard SSL_session_reused(ssl) == 0, let team, let certificate = SSL_get0_peer_certificate(ssl) else {
        throw TLSError(.certificateMissing, "No certificate")
      }
      let result = SSL_get_verify_result(ssl)
      guard result == Int(X509_V_OK) else {
        let error = Int32(truncatingIfNeeded: result)
        throw TLSError(CertificateRules.reason(ofVerifyError: error), CertificateRules.text(ofVerifyError: error))
      }
      let chain = SSL_get0_verified_chain(ssl)
      if let objection = CertificateRules.objection(toChain: chain, team: team, revocations: revocations) {
        throw objection
      }
      if let objection = objection(toDeviceOf: certificate) { throw objection }
      return Certificate(retaining: certificate)
    }
  }
}
