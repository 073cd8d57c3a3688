import Activity

/// Why a handshake, a certificate or a record was refused, by us or by the peer.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  package let reason: Reason
  /// For the log: the library's text, or ours if we refused.
  package let message: String

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package var description: String { "\(reason.rawValue): \(message)" }

  /// Makes an error with OpenSSL's last text in this thread.
  static func fromOpenSSL(_ reason: Reason = .internalFailure, doing action: String) -> TLSError {
    TLSError(reason, "\(action): \(OpenSSL.takeErrorText())")
  }
}
