// SPDX-License-Identifier: Apache-2.0

/// Why two machines did not meet at a relay.
package enum RelayFailure: Error, Equatable, Sendable {
  /// The relay, or the guest, did not come in time.
  case timedOut
  /// The connection was closed, without a word.
  case closed
  /// The relay takes nobody else for now.
  case full
  /// The relay does not know the host, or no longer the session.
  case notThere
  /// The relay was not ready for this machine when it joined the session. Another meeting will work.
  case notReady
  /// The relay's own reason.
  case refused(code: Int32, text: String)
  case malformed(String)
}
