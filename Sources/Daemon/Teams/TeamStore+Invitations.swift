// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Invitations on an administrator's machine. Everything is decided on the disk, never from memory, so a code admits
/// only one machine, whatever happens to this process.
extension TeamStore {
  /// How long a used or expired invitation is remembered, to be able to report the reason.
  static let invitationMemory = Duration.seconds(24 * 60 * 60)
  /// The maximum number of open and remembered invitations of one team.
  static let invitationsPerTeam = 64

  /// Makes a code that admits one machine within `Limits.invitationTime`.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `invitationLimitReached`, `passphraseNeeded`.
  package func invite(_ id: TeamID, now: Int64) throws(Reason) -> (code: InvitationCode, expires: Int64) {
    let team = try administered(id)
    try forgetInvitations(of: team, now: now)
    let directory = files(of: team)
    let names = try storing {
      // With a key that cannot be used, the code would admit nobody.
      _ = try authority(of: team)
      return try Files.names(in: directory.invitations).filter(Files.isInUse)
    }
    guard names.count < Self.invitationsPerTeam else { throw .invitationLimitReached }
    let code = InvitationCode(team: id)
    let expires = now + Limits.invitationTime.components.seconds
    try storing { try write(code, expires: expires, to: directory) }
    rememberInvitations(of: id, until: expires)
    keepOpen(id, Limits.invitationTime)
    return (code, expires)
  }

  /// - Parameter renewal: Set for a code for the machines of a replaced team.
  func write(
    _ code: InvitationCode,
    renewal: Invitation.Renewal? = nil,
    expires: Int64,
    to directory: TeamDirectory
  ) throws {
    let keys = code.keys
    try Files.makeDirectory(directory.invitations)
    let path = Invitation.Paths(identity: keys.identity, in: directory).open
    try directory.secrets.write(to: path, in: directory.invitations) { descriptor throws(StorageError) in
      Invitation(
        key: keys.preSharedKey,
        expires: expires,
        uptime: uptime(),
        boot: boot,
        origin: try FileOrigin.text(ofFile: descriptor, path),
        renewal: renewal
      ).bytes
    }
  }

  /// Whether to answer a joining machine, even if only to say what has become of its code. This decides nothing else.
  ///
  /// - Parameter now: Seconds since 1970.
  package func hasInvitations(_ id: TeamID, now: Int64) -> Bool {
    now < (invitationsEnd[id] ?? .min)
  }

  /// Notes that invitations can be asked for until `invitationMemory` after the last one has expired.
  func rememberInvitations(of id: TeamID, until expires: Int64) {
    let end = expires.addingReportingOverflow(Self.invitationMemory.components.seconds)
    invitationsEnd[id] = max(invitationsEnd[id] ?? .min, end.overflow ? .max : end.partialValue)
  }

  /// Returns the key of an invitation that a handshake names, even if it was used or has expired, for
  /// `TLSContext.server`.
  ///
  /// - Returns: Nil if there is none.
  /// - Throws: `storageFailed`.
  package func invitationKey(of id: TeamID, identity: [UInt8]) throws(Reason) -> [UInt8]? {
    // Any other identity belongs to no invitation, and could be too long for a file's name.
    guard identity.count == InvitationKeys.identityLength, let team = try? administered(id) else { return nil }
    let paths = Invitation.Paths(identity: identity, in: files(of: team))
    for path in [paths.open, paths.used, paths.expired] {
      if let invitation = try invitation(at: path) { return invitation.key }
    }
    return nil
  }

  /// Admits the machine that proved an invitation. An invitation admits one machine, or each machine of a replaced
  /// team.
  ///
  /// - Parameters:
  ///   - identity: The invitation's identity, as the handshake proved it.
  ///   - request: PKCS #10 in PEM.
  ///   - name: What the machine calls itself.
  ///   - nonce: What the certificate must show. If a machine in the team made the nonce, for another of its users, the
  ///     answer is a receipt.
  ///   - certificate: The machine's certificate in the team that was replaced, in PEM.
  ///   - now: Seconds since 1970.
  /// - Throws: `invitationUnknown`, `invitationExpired`, `invitationUsed`, `requestInvalid`, `certificateRevoked`,
  ///   `limitReached`, `passphraseNeeded`.
  package func redeem(
    _ identity: [UInt8],
    of id: TeamID,
    request: String,
    name: String = "",
    nonce: [UInt8]? = nil,
    certificate: String? = nil,
    now: Int64
  ) throws(Reason) -> Joined {
    let team = try administered(id)
    let invitation = try check(identity, of: team, now: now)
    let request = try checking { () throws(TLSError) in try CertificateRequest(pem: request) }
    let member = try member(asking: request, nonce: nonce, in: team)
    try checkAdmission(of: request, by: member?.device, to: team)
    // If the key cannot be used, the code must not be used up.
    _ = try storing { try authority(of: team) }
    if let renewal = invitation.renewal {
      try renewal.check(request, certificate: certificate)
    } else {
      try use(identity, of: team, now: now)
    }
    if let member, let nonce {
      return try acknowledge(request, nonce: nonce, discoveryKey: member.discoveryKey, of: team)
    }
    return try admit(request, name: name, nonce: nonce, to: team, now: now)
  }

  /// Returns an invitation if it is open, and throws otherwise.
  @discardableResult
  private func check(_ identity: [UInt8], of team: Team, now: Int64) throws(Reason) -> Invitation {
    let paths = Invitation.Paths(identity: identity, in: files(of: team))
    guard let invitation = try invitation(at: paths.open), let origin = try? FileOrigin.text(ofFileAt: paths.open)
    else {
      let (isUsed, isExpired) = try storing { (try Files.isThere(paths.used), try Files.isThere(paths.expired)) }
      throw isUsed ? .invitationUsed : isExpired ? .invitationExpired : .invitationUnknown
    }
    guard invitation.isOpen(now: now, uptime: uptime(), boot: boot, origin: origin) else {
      expire(paths)
      throw .invitationExpired
    }
    return invitation
  }

  /// Marks an invitation as used, on the disk. If several machines try at the same time, one succeeds.
  func use(_ identity: [UInt8], of team: Team, now: Int64) throws(Reason) {
    try check(identity, of: team, now: now)
    let directory = files(of: team)
    let paths = Invitation.Paths(identity: identity, in: directory)
    try storing {
      do {
        try Files.move(paths.open, to: paths.used)
      } catch let error as StorageError where error.isMissing {
        throw Reason.invitationUsed
      }
      try FileOrigin.spend(paths.used)
      try Files.synchronize(directory.invitations)
    }
  }

  /// Signs a certificate for the machine, and records the machine before anybody has the certificate.
  func admit(
    _ request: CertificateRequest,
    name: String,
    nonce: [UInt8]? = nil,
    to team: Team,
    now: Int64
  ) throws(Reason) -> Joined {
    try storing {
      let authority = try authority(of: team)
      let certificate = try authority.sign(request, nonce: nonce, now: now)
      try remember(certificate, name: name, in: team, now: now)
      return Joined(
        certificate: try certificate.pem(),
        authority: try authority.certificate.pem(),
        discoveryKey: team.credentials.discoveryKey,
        team: team.name,
        revocations: team.credentials.revocations.newest?.list.der,
        device: team.device,
        rendezvous: try rendezvous(forNew: certificate.deviceID, in: team, now: now)
      )
    }
  }

  /// Marks an invitation as expired, on the disk. So it stays expired, whatever clocks show later.
  private func expire(_ paths: Invitation.Paths) {
    do throws(StorageError) {
      try Files.move(paths.open, to: paths.expired)
      try FileOrigin.spend(paths.expired)
    } catch {
      log("Can't remove an expired invitation: \(error)")
    }
  }

  /// Removes invitations that no longer need to be remembered. Those that cannot be read are set aside, because they
  /// admit nobody, and would count forever.
  func forgetInvitations(of team: Team, now: Int64) throws(Reason) {
    let directory = files(of: team)
    let memory = Self.invitationMemory.components.seconds
    let names = try storing { try Files.names(in: directory.invitations).filter(Files.isInUse) }
    for name in names {
      let path = "\(directory.invitations)/\(name)"
      do throws(StorageError) {
        let bytes = try secrets.read(path, limit: Limits.enrolmentFileLength)
        guard let invitation = Invitation(bytes: bytes) else { throw StorageError("read", path, code: 0) }
        guard now < invitation.expires + memory else {
          Files.remove(path)
          continue
        }
        rememberInvitations(of: team.id, until: invitation.expires)
        if let paths = Invitation.Paths(open: path), now >= invitation.expires {
          expire(paths)
        }
      } catch {
        // A sealed invitation is usable again when its key is there.
        if error.isDamage { setAside(path, error) }
      }
    }
  }

  func administered(_ id: TeamID) throws(Reason) -> Team {
    let team = try team(id)
    switch team.administration {
    case .here, .sealed: return team
    case .elsewhere: throw .notAdministrator
    case .unusable(let fault):
      log("This machine can't admit or remove machines of the team \(id): \(fault)")
      throw .storageFailed
    }
  }

  /// Reads an invitation; nil if there is none.
  private func invitation(at path: String) throws(Reason) -> Invitation? {
    try storing {
      do {
        let bytes = try secrets.read(path, limit: Limits.enrolmentFileLength)
        guard let invitation = Invitation(bytes: bytes) else { throw StorageError("read", path, code: 0) }
        return invitation
      } catch let error as StorageError where error.isMissing {
        return nil
      }
    }
  }
}
