import Activity
import TLS

/// What an administrator's machine does with invitations. All of it is decided on the disk, never from memory: whatever
/// happens to this process, a code admits one machine.
extension TeamStore {
  /// Makes a code that admits one machine within `Limits.invitationTime`.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `invitationLimitReached`.
  package func invite(_ id: TeamID, now: Int64) throws(Reason) -> (code: InvitationCode, expires: Int64) {
    let team = try administered(id)
    try forgetInvitations(of: team, now: now)
    let directory = files(of: team)
    let names = try storing { try Files.names(in: directory.invitations) }
    guard names.count < Limits.invitationsPerTeam else { throw .invitationLimitReached }
    let code = InvitationCode(team: id)
    let expires = now + Limits.invitationTime.components.seconds
    let keys = code.keys
    try storing {
      try Files.makeDirectory(directory.invitations)
      try secrets.write(
        Invitation(key: keys.preSharedKey, expires: expires).bytes,
        to: Invitation.Paths(identity: keys.identity, in: directory).open,
        in: directory.invitations
      )
    }
    return (code, expires)
  }

  /// The key of an invitation that a handshake names, also of one that is used or expired: for `TLSContext.server`.
  package func invitationKey(of id: TeamID, identity: [UInt8]) -> [UInt8]? {
    guard let team = try? administered(id) else { return nil }
    let paths = Invitation.Paths(identity: identity, in: files(of: team))
    return (invitation(at: paths.open) ?? invitation(at: paths.used))?.key
  }

  /// Admits the machine that proved an invitation, once.
  ///
  /// - Parameters:
  ///   - identity: Of the invitation, as the handshake proved it.
  ///   - request: PKCS #10 in PEM.
  ///   - name: What the machine calls itself.
  ///   - now: Seconds since 1970.
  /// - Throws: `invitationUnknown`, `invitationExpired`, `invitationUsed`, `requestInvalid`, `certificateRevoked`,
  ///   `limitReached`.
  package func redeem(
    _ identity: [UInt8],
    of id: TeamID,
    request: String,
    name: String = "",
    now: Int64
  ) throws(Reason) -> Joined {
    let team = try administered(id)
    let request = try checking { () throws(TLSError) in try CertificateRequest(pem: request) }
    try checkAdmission(of: request, to: team)
    try use(identity, of: team, now: now)
    return try admit(request, name: name, to: team, now: now)
  }

  /// Marks an invitation as used, on the disk: of any number that try at once, one succeeds.
  func use(_ identity: [UInt8], of team: Team, now: Int64) throws(Reason) {
    let directory = files(of: team)
    let paths = Invitation.Paths(identity: identity, in: directory)
    guard let invitation = invitation(at: paths.open) else {
      throw Files.exists(paths.used) ? .invitationUsed : .invitationUnknown
    }
    guard now < invitation.expires else { throw .invitationExpired }
    try storing {
      do {
        try Files.move(paths.open, to: paths.used)
      } catch let error as StorageError where error.isMissing {
        throw Reason.invitationUsed
      }
      try Files.synchronize(directory.invitations)
    }
  }

  /// Signs what is left to sign, and remembers for whom before anybody has it.
  func admit(_ request: CertificateRequest, name: String, to team: Team, now: Int64) throws(Reason) -> Joined {
    try storing {
      let authority = try files(of: team).loadAuthority(team.credentials.authority)
      let certificate = try authority.sign(request, now: now)
      try remember(certificate, name: name, in: team, now: now)
      return Joined(
        certificate: try certificate.pem(),
        authority: try authority.certificate.pem(),
        discoveryKey: team.credentials.discoveryKey,
        team: team.name,
        revocations: team.credentials.revocations.newest?.list.der,
        device: team.device
      )
    }
  }

  /// Removes invitations that need not be remembered any more.
  func forgetInvitations(of team: Team, now: Int64) throws(Reason) {
    let directory = files(of: team).invitations
    let memory = Limits.invitationMemory.components.seconds
    try storing {
      for name in try Files.names(in: directory) where !name.hasPrefix(Files.temporaryPrefix) {
        let path = "\(directory)/\(name)"
        // What cannot be read admits nobody and would count for ever.
        guard let invitation = invitation(at: path), now < invitation.expires + memory else {
          Files.remove(path)
          continue
        }
      }
    }
  }

  func administered(_ id: TeamID) throws(Reason) -> Team {
    let team = try team(id)
    guard team.isAdministrator else { throw .notAdministrator }
    return team
  }

  private func invitation(at path: String) -> Invitation? {
    (try? secrets.read(path, limit: Limits.enrolmentFileLength)).flatMap(Invitation.init(bytes:))
  }
}
