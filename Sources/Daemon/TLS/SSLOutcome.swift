// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// What became of a call for a session of OpenSSL.
enum SSLOutcome {
  case done
  /// It needs more from the other side, or room for its own bytes.
  case waits
  /// The other side has sent all it wanted to (`close_notify`).
  case ended
  /// The session is over. OpenSSL has recorded why, until its errors are cleared.
  case failed
}

extension OpenSSL {
  /// Calls a function that returns 1 if it is done, such as `SSL_read_ex`.
  static func call(_ ssl: OpaquePointer, _ body: (OpaquePointer) -> Int32) -> SSLOutcome {
    ERR_clear_error()
    let result = body(ssl)
    guard result != 1 else { return .done }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
      ERR_clear_error()
      return .waits
    case SSL_ERROR_ZERO_RETURN:
      ERR_clear_error()
      return .ended
    default: return .failed
    }
  }

  /// Makes the message that nothing follows, or the alert of what has gone wrong (`SSL_shutdown`).
  static func shutDown(_ ssl: OpaquePointer) {
    ERR_clear_error()
    _ = SSL_shutdown(ssl)
    ERR_clear_error()
  }
}
