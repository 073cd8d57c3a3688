import Activity
import ControlInterface
import EventLoop
import Team
import VarlinkServer

extension ControlServer {
  /// Does something with the key of a passphrase that a user has chosen; at once where that is none.
  func withKey(
    _ passphrase: String?,
    _ exchange: AnyExchange,
    _ body: @escaping @Loop (ControlServer, PassphraseKey?) throws(Reason) -> Void
  ) {
    exchange.failing { () throws(Reason) in
      guard let passphrase else { return try body(self, nil) }
      guard PassphraseKey.isLongEnough(passphrase) else { throw .passphraseTooShort }
      try withKey(of: passphrase, salt: nil, exchange) { server, key throws(Reason) in try body(server, key) }
    }
  }

  /// Does something with the key of a passphrase. Who was interrupted meanwhile expects that nothing has changed.
  ///
  /// - Parameter salt: Of what is to be opened; nil to make one up.
  /// - Throws: `limitReached`.
  func withKey(
    of passphrase: String,
    salt: [UInt8]?,
    _ exchange: AnyExchange,
    _ body: @escaping @Loop (ControlServer, PassphraseKey) throws(Reason) -> Void
  ) throws(Reason) {
    try passphrases.makeKey(passphrase, salt: salt, for: exchange.user) { [weak self, exchange] result in
      exchange.failing { () throws(Reason) in
        guard let self else { throw .shuttingDown }
        guard !exchange.hasClientLeft else { throw .internalFailure }
        try body(self, try result.get())
      }
    }
  }
}
