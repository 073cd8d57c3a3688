// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Taking teams to another machine, or back to this one after its disk was lost.
extension TeamStore {
  /// Checks that a user may back a team up, and that the backup would be useful. A backup holds the machine's keys,
  /// which belong to all of its users. A renewed team has the device key of the team before it, which other users may
  /// still be in.
  ///
  /// - Throws: `teamNotFound`, `notPermitted`, or the reason for which others refuse this machine, because then a
  ///   backup is useless.
  package func checkBackup(of id: TeamID, by user: UInt32, now: Int64) throws(Reason) {
    let team = try team(id)
    guard team.belongs(to: user) else { throw .teamNotFound }
    let isShared = teams.contains { $0.device == team.device && $0.owners != [user] }
    guard user == 0 || !isShared else { throw .notPermitted }
    try verify(team.credentials, now: now)
  }

  /// Makes a sealed text of everything that makes this machine a device of a team.
  ///
  /// - Parameters:
  ///   - machine: What this machine calls itself.
  ///   - addresses: The addresses of other machines that users gave.
  ///   - now: Seconds since 1970.
  /// - Throws: See ``checkBackup(of:by:now:)``; `limitReached` if the text is too long.
  package func backUp(
    _ id: TeamID,
    by user: UInt32,
    machine: String,
    addresses: [String],
    key: PassphraseKey,
    now: Int64
  ) throws(Reason) -> String {
    try checkBackup(of: id, by: user, now: now)
    let team = try team(id)
    return try storing {
      let backup = try backup(of: team, machine: machine, addresses: addresses, now: now)
      for shorter in backup.shortenings {
        let text = try BackupFile(sealing: shorter.bytes, with: key).text
        if text.utf8.count <= Limits.backupLength { return text }
      }
      throw Reason.limitReached
    }
  }

  private func backup(of team: Team, machine: String, addresses: [String], now: Int64) throws -> TeamBackup {
    let (files, credentials) = (files(of: team), team.credentials)
    let key = team.isAdministrator ? try files.loadAuthorityKey() : nil
    guard key?.canBe(of: credentials.authority) ?? true else {
      throw StorageError("read", files.authorityKey, because: "it belongs to a different team")
    }
    return TeamBackup(
      made: now,
      machine: machine,
      addresses: addresses,
      description: team.description,
      certificate: try credentials.certificate.pem(),
      key: try credentials.key.pem(),
      authority: try credentials.authority.pem(),
      authorityKey: try key?.text,
      discoveryKey: credentials.discoveryKey,
      revocations: try files.loadRevocations(credentials.authority)?.bytes,
      rendezvous: team.rendezvous,
      devices: team.isAdministrator ? try devices(of: team.id) : []
    )
  }

  /// Opens a backup.
  ///
  /// - Throws: `passphraseWrong`, `backupInvalid`.
  package func open(_ file: BackupFile, with key: PassphraseKey) throws(Reason) -> TeamBackup {
    guard let content = file.open(with: key) else { throw .passphraseWrong }
    guard let backup = TeamBackup(bytes: content) else { throw .backupInvalid }
    return backup
  }

  /// Returns the team that a backup would restore. Nothing is changed.
  ///
  /// - Parameters:
  ///   - user: The user who asks.
  ///   - now: Seconds since 1970.
  /// - Throws: `backupInvalid`, or the reason for which others would refuse this machine.
  package func check(_ backup: TeamBackup, for user: UInt32, now: Int64) throws(Reason) -> Team {
    try restored(backup, for: user, now: now).team
  }

  /// Restores a team, completely or not at all.
  ///
  /// - Parameters:
  ///   - user: The team's owner from now on. With root, its previous owners keep it.
  ///   - now: Seconds since 1970.
  /// - Throws: See ``check(_:for:now:)``; `alreadyMember`, `teamRenewed`, `teamLimitReached`.
  package func restore(_ backup: TeamBackup, for user: UInt32, now: Int64) throws(Reason) -> Team {
    let (restored, revocations, authority) = try restored(backup, for: user, now: now)
    guard (try? team(restored.id)) == nil else { throw .alreadyMember }
    guard !isReplaced(restored.id, for: user) else { throw .teamRenewed }
    try checkLimit(for: user)
    return try storing {
      // A team that could not be loaded is not overwritten, because its secrets may be sealed with a key that is found
      // again.
      let path = files(of: restored).path
      guard try !Files.isThere(path) else {
        throw StorageError("restore", path, because: "it contains an unusable team")
      }
      let team = try install(
        restored.credentials,
        description: restored.description,
        authorityKey: authority
      ) { directory in
        // This includes the previous discovery keys, which no list contains.
        if let revocations { try directory.replace(revocations) }
        if authority != nil { try directory.replace(backup.devices) }
        if let rendezvous = backup.rendezvous { try directory.replace(rendezvous) }
      }
      renewOwnCertificate(of: team.id, now: now)
      // A user who restores a team asks for what it replaces, but only for themselves.
      if user != 0 { for old in team.replaces { leave(old, replacedBy: team.id, users: [user]) } }
      leaveReplaced()
      return try self.team(team.id)
    }
  }

  /// Reads a backup as strictly as what comes from another machine, because anyone who knows a passphrase can make one.
  private func restored(
    _ backup: TeamBackup,
    for user: UInt32,
    now: Int64
  ) throws(Reason) -> (team: Team, revocations: RevocationFile?, authority: AuthorityKey?) {
    guard backup.isLoadable else { throw .backupInvalid }
    do {
      let authority = try Certificate(pem: backup.authority)
      guard authority.isSigned(by: authority) else { throw Reason.backupInvalid }
      var revocations: RevocationFile?
      if let bytes = backup.revocations {
        revocations = RevocationFile(bytes: bytes, authority: authority)
        guard revocations != nil, bytes.count <= RevocationFile.length else { throw Reason.backupInvalid }
      }
      let credentials = try Credentials(
        key: PrivateKey(pem: backup.key),
        certificate: Certificate(pem: backup.certificate),
        authority: authority,
        discoveryKey: revocations?.newest.discoveryKey ?? backup.discoveryKey,
        previousKeys: revocations?.previousKeys ?? [],
        revocations: revocations?.lists ?? RevocationLists()
      )
      let signer = backup.authorityKey.flatMap(AuthorityKey.init)
      guard signer?.canBe(of: authority) ?? (backup.authorityKey == nil) else { throw Reason.backupInvalid }
      let team = Team(
        name: backup.name,
        owners: user == 0 ? Set(backup.owners).sorted() : [user],
        created: backup.created,
        credentials: credentials,
        administration: signer?.administration ?? .elsewhere,
        expires: try credentials.certificate.expires,
        replaces: backup.replaces,
        rendezvous: backup.rendezvous
      )
      try verify(credentials, now: now)
      return (team, revocations, signer)
    } catch let reason as Reason {
      throw reason
    } catch {
      throw .backupInvalid
    }
  }

  /// - Throws: The reason for which others refuse this machine.
  func verify(_ credentials: Credentials, now: Int64) throws(Reason) {
    try checking { () throws(TLSError) in
      try credentials.certificate.verify(
        under: credentials.authority,
        revocations: credentials.revocations,
        now: now
      )
    }
  }
}
