// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Teams
import VarlinkServer

extension ControlServer {
  /// Calls `body` with the key of a passphrase that a user has chosen; immediately if there is no passphrase.
  func withKey(
    _ passphrase: String?,
    _ exchange: AnyExchange,
    _ body: @escaping @Loop (ControlServer, PassphraseKey?) async throws(Reason) -> Void
  ) {
    guard let passphrase else {
      return exchange.answering { () async throws(Reason) in try await body(self, nil) }
    }
    exchange.failing { () throws(Reason) in
      guard PassphraseKey.isLongEnough(passphrase) else { throw .passphraseTooShort }
      try withKey(of: passphrase, salt: nil, exchange) { server, key async throws(Reason) in
        try await body(server, key)
      }
    }
  }

  /// Calls `body` with the key of a passphrase, unless the client has left in the meantime. A user who interrupted the
  /// command expects that nothing has changed.
  ///
  /// - Parameter salt: The salt of what must be opened; nil to create one.
  /// - Throws: `limitReached`.
  func withKey(
    of passphrase: String,
    salt: [UInt8]?,
    _ exchange: AnyExchange,
    _ body: @escaping @Loop (ControlServer, PassphraseKey) async throws(Reason) -> Void
  ) throws(Reason) {
    try passphrases.makeKey(passphrase, salt: salt, for: exchange.user) { [weak self, exchange] result in
      exchange.answering { () async throws(Reason) in
        guard let self else { throw .shuttingDown }
        guard !exchange.hasClientLeft else { throw .internalFailure }
        try await body(self, try result.get())
      }
    }
  }
}
