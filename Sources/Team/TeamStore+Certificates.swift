import Activity
import TLS

/// Devices' certificates end after a year. Who has the team's key makes them anew in their last third.
extension TeamStore {
  // MARK: On every machine

  /// Takes a certificate that an administrator's machine has made for this machine's key.
  ///
  /// - Parameters:
  ///   - text: In PEM.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether it is better than the one that was here.
  /// - Throws: `teamNotFound`, `storageFailed`; `certificateInvalid` where it is of no use.
  package func take(certificate text: String, of id: TeamID, now: Int64) throws(Reason) -> Bool {
    let team = try team(id)
    // Not logged here: a peer can give as many as it likes.
    guard let certificate = try? Certificate(pem: text), (try? check(certificate, of: team, now: now)) != nil,
      let expires = try? certificate.expires
    else { throw .certificateInvalid }
    guard expires > team.expires, certificate.isAdministrator || !team.credentials.certificate.isAdministrator else {
      return false
    }
    try storing { try replace(certificate, of: team) }
    return true
  }

  /// - Throws: Where a certificate is not good for this machine's key.
  func check(_ certificate: Certificate, of team: Team, now: Int64) throws(TLSError) {
    let credentials = team.credentials
    guard certificate.isFor(credentials.key) else { throw TLSError(.certificateInvalid, "It is for another key") }
    try certificate.verify(under: credentials.authority, revocations: credentials.revocations, now: now)
  }

  func replace(_ certificate: Certificate, of team: Team) throws {
    try files(of: team).replace(certificate)
    try reload(team)
  }

  // MARK: On an administrator's machine

  /// Makes another certificate for the device that has shown this one, and notes it before anybody has it.
  ///
  /// - Parameters:
  ///   - certificate: It is good.
  ///   - now: Seconds since 1970.
  /// - Returns: Nil where it ends late enough.
  /// - Throws: `teamNotFound`, `notAdministrator`, `certificateRevoked`, `limitReached`, `storageFailed`.
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

  /// Makes this machine's own certificate anew where it ends soon, or does not say that this machine has the team's key.
  ///
  /// - Returns: Whether it is another one now.
  @discardableResult
  package func renewOwnCertificate(of id: TeamID, now: Int64) -> Bool {
    guard let team = try? team(id), team.canAdminister, !isLocked(team) else { return false }
    let old = team.credentials.certificate
    guard old.isDue(now: now) || !old.isAdministrator else { return false }
    do throws(Reason) {
      try storing {
        let certificate = try authority(of: team).renew(old, isAdministrator: true, now: now)
        // A clock that was set back makes none that is worse.
        guard try certificate.expires >= old.expires || !old.isAdministrator else { return }
        try replace(certificate, of: team)
      }
      return true
    } catch {
      log("This machine's certificate of \(id) stays as it is: \(error.rawValue)")
      return false
    }
  }
}
