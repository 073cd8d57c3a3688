import COpenSSL

/// The library as a whole.
enum OpenSSL {
  /// Initialises the library, once, without its configuration file: what the environment names must not decide how a
  /// daemon checks certificates. exit(3) does not tear it down: a key may be being made on another thread. To be called
  /// before anything else of it (`OPENSSL_init_ssl`).
  static func start() { _ = started }

  private static let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
  private static let started: Bool = OPENSSL_init_ssl(options, nil) == 1

  /// What the library says about the first of its errors in this thread, and forgets all of them.
  static func takeErrorText() -> String {
    let code = ERR_peek_error()
    ERR_clear_error()
    guard code != 0 else { return "No error is recorded" }
    return text(of: code)
  }

  static func text(of code: UInt) -> String {
    let library = ERR_lib_error_string(code).map { String(cString: $0) }
    let reason = ERR_reason_error_string(code).map { String(cString: $0) }
    return [library, reason ?? "error \(code)"].compactMap { $0 }.joined(separator: ": ")
  }
}
