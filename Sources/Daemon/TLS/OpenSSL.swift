// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The library as a whole.
enum OpenSSL {
  /// Initializes the library once (`OPENSSL_init_ssl`). Call this before any of its other functions. The library does
  /// not read its configuration file, because the environment must not decide how a daemon checks certificates. exit(3)
  /// does not clean the library up, because another thread may still be making a key.
  static func start() { _ = started }

  private static let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
  private static let started: Bool = OPENSSL_init_ssl(options, nil) == 1

  /// Returns the library's text for its first error in this thread, and clears all errors.
  static func takeErrorText() -> String {
    let code = ERR_peek_error()
    ERR_clear_error()
    guard code != 0 else { return "No error was recorded" }
    return text(of: code)
  }

  static func text(of code: UInt) -> String {
    let library = ERR_lib_error_string(code).map { String(cString: $0) }
    let reason = ERR_reason_error_string(code).map { String(cString: $0) }
    return [library, reason ?? "error \(code)"].compactMap { $0 }.joined(separator: ": ")
  }
}
