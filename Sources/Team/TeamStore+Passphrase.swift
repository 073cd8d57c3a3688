import Activity
import TLS

/// A team's key that a passphrase seals. Who enters the passphrase opens it for a while, in memory.
extension TeamStore {
  struct OpenedKey {
    let authority: Authority
    /// Until the machine has run for so long, in seconds.
    var closes: Int64
    /// Who has entered the passphrase.
    var users: Set<UInt32>
  }

  /// What the passphrase's ``PassphraseKey`` is to be made with; nil where the team's key has no passphrase.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`, `storageFailed`.
  package func salt(of id: TeamID) throws(Reason) -> [UInt8]? { try sealedKey(of: administered(id))?.salt }

  private func sealedKey(of team: Team) throws(Reason) -> SealedAuthorityKey? {
    guard case .sealed(let key) = try storing({ try files(of: team).loadAuthorityKey() }) else { return nil }
    return key
  }

  /// Opens a team's key for `Limits.unlockTime`, and makes up for what could not be done without it on this machine.
  ///
  /// - Parameters:
  ///   - user: Who knows the passphrase: only that user can admit and remove meanwhile, and root.
  ///   - now: Seconds since 1970.
  /// - Throws: As ``salt(of:)``; `passphraseWrong`.
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
    let closes = max(uptime() + time.components.seconds, openedKeys[team.id]?.closes ?? 0)
    let users = (openedKeys[team.id]?.users ?? []).union([user])
    openedKeys[team.id] = OpenedKey(authority: authority, closes: closes, users: users)
  }

  /// Keeps an open key so for at least this time: a code that was given out needs it.
  func keepOpen(_ id: TeamID, _ time: Duration) {
    guard let opened = openedKeys[id] else { return }
    openedKeys[id]?.closes = max(opened.closes, uptime() + time.components.seconds)
  }

  /// Forgets the keys whose time is over.
  ///
  /// - Returns: Seconds until the next one's is; nil where none is open.
  @discardableResult
  package func lock() -> Int64? {
    openedKeys = openedKeys.filter { $0.value.closes > uptime() }
    return openedKeys.values.map { $0.closes - uptime() }.min()
  }

  /// Whether the team's key is sealed, and nobody has opened it now.
  package func isLocked(_ team: Team) -> Bool {
    team.administration == .sealed && (openedKeys[team.id]?.closes ?? 0) <= uptime()
  }

  /// - Throws: `teamNotFound`, `notAdministrator`; `passphraseNeeded` where the team's key is sealed, and this user has not
  ///   opened it.
  package func checkKey(of id: TeamID, for user: UInt32) throws(Reason) {
    let team = try administered(id)
    guard team.administration == .sealed else { return }
    guard !isLocked(team), user == 0 || openedKeys[id]?.users.contains(user) == true else { throw .passphraseNeeded }
  }

  /// Seals the team's key with another passphrase, or writes it in the clear. A crash leaves it as it was or as it is to be.
  ///
  /// - Parameters:
  ///   - key: Nil for none.
  ///   - user: Who asks, and has opened it before where it was sealed.
  /// - Throws: As ``checkKey(of:for:)``.
  package func setPassphrase(_ key: PassphraseKey?, of id: TeamID, by user: UInt32) throws(Reason) {
    try checkKey(of: id, for: user)
    let team = try administered(id)
    try storing {
      let authority = try authority(of: team)
      try files(of: team).replace(authority.stored(with: key))
      openedKeys[id] = nil
      if key != nil { open(authority, of: team, for: user, Limits.unlockTime) }
      try reload(team)
    }
  }

  /// The team's key. One that is not sealed is not kept in memory.
  ///
  /// - Throws: `passphraseNeeded` where it is locked.
  func authority(of team: Team) throws -> Authority {
    guard team.administration == .sealed else {
      return try files(of: team).loadAuthority(team.credentials.authority)
    }
    guard let opened = openedKeys[team.id], opened.closes > uptime() else { throw Reason.passphraseNeeded }
    return opened.authority
  }
}

extension Authority {
  /// As it is on the disk: sealed where there is a key of a passphrase.
  func stored(with key: PassphraseKey?) throws(TLSError) -> AuthorityKey {
    if let key { .sealed(try SealedAuthorityKey(self, with: key)) } else { .plain(self.key) }
  }
}
