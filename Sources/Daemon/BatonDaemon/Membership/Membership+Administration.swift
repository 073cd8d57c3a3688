// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// The teams' keys, and the certificates that they sign.
extension Membership {
  // MARK: Certificates

  /// Whether an administrator must renew this machine's certificate.
  func isCertificateDue(in team: TeamID) -> Bool {
    credentials(in: team)?.certificate.isDue(now: Self.now) ?? false
  }

  /// Returns a new certificate for a device if it needs one.
  func renew(_ certificate: Certificate, of peer: PeerID) async throws(Reason) -> String? {
    let now = Self.now
    return try await changes.make(for: .peer(peer)) { store throws(Reason) in
      try store.renew(certificate, in: peer.team, now: now)
    }
  }

  /// - Throws: `certificateInvalid` if the certificate cannot be used.
  func take(certificate: String, from peer: PeerID) async throws(Reason) {
    let now = Self.now
    let isNew = try await changes.make(for: .peer(peer)) { store throws(Reason) in
      try store.take(certificate: certificate, of: peer.team, now: now)
    }
    if isNew { certificateChanged(peer.team) }
  }

  /// Renews this machine's own certificates that expire soon, in the teams whose key it has.
  func renewOwnCertificates() async {
    for team in store.teams {
      let now = Self.now
      let isNew = try? await changes.make(for: .daemon) { store throws(Reason) in
        store.renewOwnCertificate(of: team.id, now: now)
      }
      if isNew == true { certificateChanged(team.id) }
    }
  }

  /// Renews what lets this machine in where a team meets, if it ends soon or is for an earlier discovery key.
  ///
  /// - Returns: Whether it has changed.
  func renewOwnRendezvous(of team: TeamID) async -> Bool {
    let now = Self.now
    let isNew = try? await changes.make(for: .daemon) { store throws(Reason) in
      store.renewOwnRendezvous(of: team, now: now)
    }
    return isNew == true
  }

  /// Changes where a team meets, or the servers that a user runs for teams of others.
  ///
  /// - Parameter change: Gets the time, in seconds since 1970.
  func changeRendezvous<Success: Sendable>(
    for user: UserID,
    _ change: @escaping @Sendable (TeamStore, Int64) throws(Reason) -> Success
  ) async throws(Reason) -> Success {
    let now = Self.now
    return try await changes.make(for: .user(user)) { store throws(Reason) in try change(store, now) }
  }

  /// Takes where a team meets, if it is newer than what this machine knows.
  ///
  /// - Returns: Whether it has changed.
  func take(_ access: RendezvousAccess, from peer: PeerID) async throws(Reason) -> Bool {
    try await changes.make(for: .peer(peer)) { store throws(Reason) in try store.take(access, of: peer.team) }
  }

  private func certificateChanged(_ team: TeamID) {
    log.notice(
      "This machine has a new certificate",
      ["team": team.description, "expires": "\((try? store.team(team).expires) ?? 0)"]
    )
    changed(team)
  }

  // MARK: Administrators

  func canAdminister(_ team: TeamID) -> Bool { (try? store.team(team).canAdminister) ?? false }

  func promote(_ certificate: Certificate, in team: TeamID, for user: UserID) async throws(Reason) -> Promote {
    let now = Self.now
    let promotion = try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.promote(certificate, in: team, now: now)
    }
    return Promote(certificate: promotion.certificate, authorityKey: promotion.authorityKey)
  }

  /// Makes this machine an administrator's.
  ///
  /// - Throws: `certificateInvalid` if the message does not contain what that requires.
  func accept(_ message: Promote, from peer: PeerID) async throws(Reason) {
    let (now, team) = (Self.now, peer.team)
    let promotion = TeamStore.Promotion(certificate: message.certificate, authorityKey: message.authorityKey)
    let isNew = try await changes.make(for: .peer(peer)) { store throws(Reason) in
      try store.accept(promotion, in: team, now: now)
    }
    guard isNew else { return }
    log.notice("This machine now has the team's key and can admit and remove others", ["team": team.description])
    certificateChanged(team)
  }

  /// Records which devices another administrator has admitted.
  func learn(_ devices: [AdmittedDevice], from peer: PeerID) async throws(Reason) {
    try await changes.make(for: .peer(peer)) { store throws(Reason) in try store.learn(devices, in: peer.team) }
  }

  /// The devices that other administrators are told about.
  func told(_ team: TeamID, name: String) -> [AdmittedDevice] {
    (try? store.told(team, name: name, meeting: met(in: team))) ?? []
  }

  // MARK: Passphrases

  /// The salt with which the passphrase's key is derived; nil if the team's key has no passphrase.
  func salt(of team: Team) throws(Reason) -> [UInt8]? { try store.salt(of: team.id) }

  /// - Throws: `passphraseNeeded` if the user has not unlocked the team's key.
  func checkKey(of team: Team, for user: UInt32) throws(Reason) { try store.checkKey(of: team.id, for: user) }

  func isLocked(_ team: Team) -> Bool { store.isLocked(team) }

  func unlock(_ team: Team, with key: PassphraseKey, by user: UInt32) async throws(Reason) {
    let now = Self.now
    let before = (lists: revocations(of: team.id), certificate: credentials(in: team.id)?.certificate)
    try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.unlock(team.id, with: key, user: user, now: now)
    }
    keysOpened()
    if revocations(of: team.id) != before.lists { revocationsChanged(team.id) }
    if credentials(in: team.id)?.certificate !== before.certificate { certificateChanged(team.id) }
    host.keysUnlocked()
  }

  func setPassphrase(_ key: PassphraseKey?, of team: Team, by user: UInt32) async throws(Reason) {
    try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.setPassphrase(key, of: team.id, by: user)
    }
    keysOpened()
    host.keysUnlocked()
  }

  /// The present state of the team.
  func current(_ team: Team) throws(Reason) -> Team { try store.team(team.id) }

  /// Locks the keys whose time is over, and sets the timer for the next ones.
  func keysOpened() {
    let seconds = store.lock()
    lock?.set(seconds.map { Loop.now + .seconds($0) })
  }
}
