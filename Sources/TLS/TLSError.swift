import Activity

/// Why a handshake, a certificate or a record was refused, by us or by the peer.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  package let reason: Reason
  /// The library's own words, or ours where we refused: for the log.
  package let message: String

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package var description: String { "\(reason.rawValue): \(message)" }

  /// With what OpenSSL last said in this thread.
  static func fromOpenSSL(_ reason: Reason = .internalFailure, doing action: String) -> TLSError {
    TLSError(reason, "\(action): \(OpenSSL.takeErrorText())")
  }
}
