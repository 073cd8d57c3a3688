// SPDX-License-Identifier: Apache-2.0

import Activity
import Synchronization
import TLS

/// A team's key that a passphrase seals. Anyone who enters the passphrase opens it for a while, in memory.
extension TeamStore {
  struct OpenedKey: Sendable {
    let authority: Authority
    /// When it closes: the machine's uptime, in seconds.
    var closes: Int64
    /// The users who have entered the passphrase.
    var users: Set<UInt32>
  }

  /// Returns the salt for the passphrase's ``PassphraseKey``; nil if the team's key has no passphrase.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`, `storageFailed`.
  package func salt(of id: TeamID) throws(Reason) -> [UInt8]? { try sealedKey(of: administered(id))?.salt }

  private func sealedKey(of team: Team) throws(Reason) -> SealedAuthorityKey? {
    guard case .sealed(let key) = try storing({ try files(of: team).loadAuthorityKey() }) else { return nil }
    return key
  }

  /// Opens a team's key for `Limits.unlockTime`, and does what this machine could not do without it.
  ///
  /// - Parameters:
  ///   - user: The user who knows the passphrase. Only users who have entered it, and root, can then admit and remove
  ///     devices.
  ///   - now: Seconds since 1970.
  /// - Throws: See ``salt(of:)``; `passphraseWrong`.
  package func unlock(_ id: TeamID, with key: PassphraseKey, user: UInt32, now: Int64) throws(Reason) {
    let team = try administered(id)
    guard let sealed = try sealedKey(of: team) else { return }
    let authority = try storing { try sealed.open(with: key, for: team.credentials.authority) }
    guard let authority else { throw .passphraseWrong }
    open(authority, of: team, for: user, Limits.unlockTime)
    uniteRevocations(of: team, now: now)
    renewOwnCertificate(of: id, now: now)
  }

  func open(_ authority: Authority, of team: Team, for user: UInt32, _ time: Duration) {
    let closes = uptime() + time.components.seconds
    memory.withLock { memory in
      let old = memory.openedKeys[team.id]
      memory.openedKeys[team.id] = OpenedKey(
        authority: authority,
        closes: max(closes, old?.closes ?? 0),
        users: (old?.users ?? []).union([user])
      )
    }
  }

  /// Keeps an open key open for at least this time, because a code that was given out needs it.
  func keepOpen(_ id: TeamID, _ time: Duration) {
    let closes = uptime() + time.components.seconds
    memory.withLock { memory in
      guard let opened = memory.openedKeys[id] else { return }
      memory.openedKeys[id]?.closes = max(opened.closes, closes)
    }
  }

  /// Forgets the keys whose time is over. Call it on any thread.
  ///
  /// - Returns: The seconds until the next key closes; nil if none is open.
  @discardableResult
  package func lock() -> Int64? {
    let now = uptime()
    return memory.withLock { memory in
      memory.openedKeys = memory.openedKeys.filter { $0.value.closes > now }
      return memory.openedKeys.values.map { $0.closes - now }.min()
    }
  }

  /// Whether the team's key is sealed and not open now.
  package func isLocked(_ team: Team) -> Bool {
    team.administration == .sealed && (openedKeys[team.id]?.closes ?? 0) <= uptime()
  }

  /// - Throws: `teamNotFound`, `notAdministrator`; `passphraseNeeded` if the team's key is sealed, and this user has
  ///   not opened it.
  package func checkKey(of id: TeamID, for user: UInt32) throws(Reason) {
    let team = try administered(id)
    guard team.administration == .sealed else { return }
    guard !isLocked(team), user == 0 || openedKeys[id]?.users.contains(user) == true else { throw .passphraseNeeded }
  }

  /// Seals the team's key with another passphrase, or writes it in the clear. A crash leaves the old or the new form.
  ///
  /// - Parameters:
  ///   - key: The passphrase's key; nil for no passphrase.
  ///   - user: The user who asks. If the key was sealed, this user has opened it.
  /// - Throws: See ``checkKey(of:for:)``.
  package func setPassphrase(_ key: PassphraseKey?, of id: TeamID, by user: UInt32) throws(Reason) {
    try checkKey(of: id, for: user)
    let team = try administered(id)
    try storing {
      let authority = try authority(of: team)
      try files(of: team).replace(authority.stored(with: key))
      memory.withLock { $0.openedKeys[id] = nil }
      if key != nil { open(authority, of: team, for: user, Limits.unlockTime) }
      try reload(team)
    }
  }

  /// Returns the team's key. A key that is not sealed is not kept in memory.
  ///
  /// - Throws: `passphraseNeeded` if the key is locked.
  func authority(of team: Team) throws -> Authority {
    guard team.administration == .sealed else {
      return try files(of: team).loadAuthority(team.credentials.authority)
    }
    guard let opened = openedKeys[team.id], opened.closes > uptime() else { throw Reason.passphraseNeeded }
    return opened.authority
  }
}

extension Authority {
  /// Returns the form for the disk, which is sealed if there is a passphrase's key.
  func stored(with key: PassphraseKey?) throws(TLSError) -> AuthorityKey {
    if let key { .sealed(try SealedAuthorityKey(self, with: key)) } else { .plain(self.key) }
  }
}
