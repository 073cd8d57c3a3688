// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Device certificates end after a year. A machine with the team's key renews them in their last third.
extension TeamStore {
  // MARK: On every machine

  /// Accepts a certificate that an administrator's machine has made for this machine's key.
  ///
  /// - Parameters:
  ///   - text: In PEM.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether it is better than the current one, and has replaced it.
  /// - Throws: `teamNotFound`, `storageFailed`; `certificateInvalid` if it is useless.
  package func take(certificate text: String, of id: TeamID, now: Int64) throws(Reason) -> Bool {
    let team = try team(id)
    // This is not logged here, because a peer can send as many as it likes.
    guard let certificate = try? Certificate(pem: text), (try? check(certificate, of: team, now: now)) != nil,
      let expires = try? certificate.expires
    else { throw .certificateInvalid }
    guard expires > team.expires, certificate.isAdministrator || !team.credentials.certificate.isAdministrator else {
      return false
    }
    try storing { try replace(certificate, of: team) }
    return true
  }

  /// - Throws: `TLSError` if a certificate is not valid for this machine's key.
  func check(_ certificate: Certificate, of team: Team, now: Int64) throws(TLSError) {
    let credentials = team.credentials
    guard certificate.isFor(credentials.key) else { throw TLSError(.certificateInvalid, "It's for a different key") }
    try certificate.verify(under: credentials.authority, revocations: credentials.revocations, now: now)
  }

  func replace(_ certificate: Certificate, of team: Team) throws {
    try files(of: team).replace(certificate)
    try reload(team)
  }

  // MARK: On an administrator's machine

  /// Makes another certificate for the device that has shown this one, and records it before anybody has it.
  ///
  /// - Parameters:
  ///   - certificate: A valid certificate.
  ///   - now: Seconds since 1970.
  /// - Returns: Nil if the certificate does not end soon.
  /// - Throws: `teamNotFound`, `notAdministrator`, `certificateRevoked`, `limitReached`, `passphraseNeeded`,
  ///   `storageFailed`.
  package func renew(_ certificate: Certificate, in id: TeamID, now: Int64) throws(Reason) -> String? {
    let team = try administered(id)
    guard certificate.isDue(now: now) else { return nil }
    let device = try checking { () throws(TLSError) in try certificate.deviceID }
    guard !team.credentials.revocations.names(device) else { throw .certificateRevoked }
    return try storing {
      let renewed = try authority(of: team).renew(
        certificate,
        isAdministrator: certificate.isAdministrator,
        now: now
      )
      try note(renewed, in: team, now: now)
      return try renewed.pem()
    }
  }

  /// Renews this machine's own certificate if it ends soon, or does not say that this machine has the team's key.
  ///
  /// - Returns: True if it was renewed, or if a new one would be worse; false if there was no need, or this failed.
  @discardableResult
  package func renewOwnCertificate(of id: TeamID, now: Int64) -> Bool {
    guard let team = try? team(id), team.canAdminister, !isLocked(team) else { return false }
    let old = team.credentials.certificate
    guard old.isDue(now: now) || !old.isAdministrator else { return false }
    do throws(Reason) {
      try storing {
        let certificate = try authority(of: team).renew(old, isAdministrator: true, now: now)
        // If the clock was set back, the new one may be worse.
        guard try certificate.expires >= old.expires || !old.isAdministrator else { return }
        try replace(certificate, of: team)
      }
      return true
    } catch {
      log("Couldn't replace this machine's certificate for \(id): \(error.rawValue)")
      return false
    }
  }
}
