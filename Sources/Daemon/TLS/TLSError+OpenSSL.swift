// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

extension TLSError {
  /// For an alert of the other side, OpenSSL's code is this plus the alert's number (`SSL_AD_REASON_OFFSET`).
  private static let alertOffset: Int32 = 1000

  /// Returns the error that OpenSSL recorded in this thread for a session.
  ///
  /// - Parameters:
  ///   - application: What the session is for, because an alert can have different meanings.
  ///   - established: Whether the handshake was finished.
  ///   - isServer: Whether the other side has dialled.
  static func ofSession(application: ApplicationProtocol, established: Bool, isServer: Bool) -> TLSError {
    let code = ERR_peek_error()
    let text = OpenSSL.takeErrorText()
    let number = ERR_GET_REASON(code)
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return TLSError(established ? .protocolViolation : .notTLS, text) }
    let alert = number - alertOffset
    if (0...255).contains(alert) {
      return ofAlert(alert, application: application, established: established, isServer: isServer)
    }
    switch number {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return TLSError(.certificateMissing, text)
    case SSL_R_CERTIFICATE_VERIFY_FAILED, SSL_R_WRONG_CERTIFICATE_TYPE, SSL_R_WRONG_SIGNATURE_TYPE,
      SSL_R_EE_KEY_TOO_SMALL:
      return TLSError(.certificateInvalid, text)
    default: return TLSError(established ? .protocolViolation : .notTLS, text)
    }
  }

  /// Returns the error that an alert of the other side means. The parameters are those of
  /// ``ofSession(application:established:isServer:)``.
  ///
  /// - Parameter alert: 0 to 255.
  static func ofAlert(_ alert: Int32, application: ApplicationProtocol, established: Bool, isServer: Bool) -> TLSError {
    let text = OpenSSL.text(of: baton_alert_error(alert))
    let reason = reason(ofAlert: alert, application: application, established: established)
    // A server has seen this machine's certificate when the handshake is finished here. Whoever says something about
    // it before that has no key of the team. To a server, a member says it then, and so can anyone else.
    let isUnproven = !isServer && !established && aboutCertificates.contains(reason)
    return TLSError(isUnproven ? .notTLS : reason, text, isOnlySaid: !established)
  }

  private static let aboutCertificates: Set<Reason> = [
    .certificateExpired, .certificateInvalid, .certificateMissing, .certificateRevoked,
  ]

  private static func reason(ofAlert alert: Int32, application: ApplicationProtocol, established: Bool) -> Reason {
    switch (alert, application) {
    case (SSL_AD_UNRECOGNIZED_NAME, .join): .invitationForeign
    case (SSL_AD_HANDSHAKE_FAILURE, .join), (SSL_AD_DECRYPT_ERROR, .join), (SSL_AD_UNKNOWN_PSK_IDENTITY, .join):
      .invitationUnknown
    case (SSL_AD_INTERNAL_ERROR, .join): .storageFailed
    case (SSL_AD_UNRECOGNIZED_NAME, .peer), (SSL_AD_UNKNOWN_CA, .peer): .otherTeam
    case (SSL_AD_CERTIFICATE_REQUIRED, .peer): .certificateMissing
    case (SSL_AD_CERTIFICATE_EXPIRED, .peer): .certificateExpired
    case (SSL_AD_CERTIFICATE_REVOKED, .peer): .certificateRevoked
    case (SSL_AD_BAD_CERTIFICATE, .peer), (SSL_AD_UNSUPPORTED_CERTIFICATE, .peer),
      (SSL_AD_CERTIFICATE_UNKNOWN, .peer), (SSL_AD_ACCESS_DENIED, .peer):
      .certificateInvalid
    // A device of the team that has our protocol in another version gives this answer to a server name of the team.
    case (SSL_AD_NO_APPLICATION_PROTOCOL, _) where !established: .versionMismatch
    default: established ? .protocolViolation : .notTLS
    }
  }
}
