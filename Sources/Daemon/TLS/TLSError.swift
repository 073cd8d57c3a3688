// SPDX-License-Identifier: Apache-2.0

import Activity

/// Why a handshake, a certificate or a record was refused, by us or by the peer.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  package let reason: Reason
  /// For the log: the library's text, or ours if we refused.
  package let message: String
  /// Whether the other side says so, and has not proved to this side who it is.
  package let isOnlySaid: Bool

  package init(_ reason: Reason, _ message: String, isOnlySaid: Bool = false) {
    self.reason = reason
    self.message = message
    self.isOnlySaid = isOnlySaid
  }

  package var description: String { "\(reason.rawValue): \(message)" }

  /// Makes an error with OpenSSL's last text in this thread.
  static func fromOpenSSL(_ reason: Reason = .internalFailure, doing action: String) -> TLSError {
    TLSError(reason, "\(action): \(OpenSSL.takeErrorText())")
  }
}
