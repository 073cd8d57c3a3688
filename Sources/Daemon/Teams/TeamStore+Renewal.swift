// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import TLS

/// Replacing a team whose key was lost, or is in the wrong hands.
extension TeamStore {
  /// Makes a team with its own key, in which this machine stays the same device, and leaves the old team. The new team
  /// and its code appear with one rename. After a crash, the next start leaves the old team.
  ///
  /// - Parameters:
  ///   - user: The owner of the new team. Other users of this machine stay in the old one. Root takes all of them
  ///     along.
  ///   - key: A passphrase's key; nil for no passphrase.
  ///   - now: Seconds since 1970.
  /// - Returns: The team, a code with which all machines of the old team can follow, and when it expires (seconds since
  ///   1970).
  /// - Throws: `teamNotFound`, `teamLimitReached`.
  package func renew(
    _ id: TeamID,
    user: UInt32,
    key: PassphraseKey? = nil,
    now: Int64
  ) throws(Reason) -> (team: Team, code: InvitationCode, expires: Int64) {
    let old = try team(id)
    guard old.belongs(to: user) else { throw .teamNotFound }
    let owners = user == 0 ? old.owners : [user]
    if owners != old.owners { try checkLimit(for: user) }
    let (team, code, expires, authority) = try storing {
      let authority = try Authority.make(now: now)
      let credentials = try Credentials(
        key: old.credentials.key,
        certificate: authority.renew(old.credentials.certificate, isAdministrator: true, now: now),
        authority: authority.certificate,
        discoveryKey: SystemRandom.bytes(Sealer.keyLength)
      )
      let code = InvitationCode(team: credentials.team)
      let renewal = try Invitation.Renewal(of: old.credentials)
      let expires = now + Invitation.Renewal.renewalTime.components.seconds
      let team = try install(
        credentials,
        description: TeamDescription(name: old.name, owners: owners, created: now, replaces: [old.id] + old.replaces),
        authorityKey: try authority.stored(with: key)
      ) { try write(code, renewal: renewal, expires: expires, to: $0) }
      return (team, code, expires, authority)
    }
    rememberInvitations(of: team.id, until: expires)
    if key != nil { open(authority, of: team, for: user, Invitation.Renewal.renewalTime) }
    leaveReplaced()
    return (team, code, expires)
  }

  /// Makes users leave the teams that a team of theirs has replaced, if this machine is the same device in both. That
  /// the new team says so is not enough: a backup can name any team, even one of users who join later.
  func leaveReplaced() {
    for team in teams {
      for old in team.replaces where (try? self.team(old))?.device == team.device {
        leave(old, replacedBy: team.id, users: team.owners)
      }
    }
  }

  /// Makes users leave a team, because they are in another one that replaces it. A failure is logged.
  func leave(_ old: TeamID, replacedBy team: TeamID, users: [UInt32]) {
    guard let old = try? self.team(old), !Set(old.owners).isDisjoint(with: users) else { return }
    do throws(Reason) {
      try leave(old, users: Set(users))
    } catch {
      log("The team \(old.id) was replaced by \(team), but couldn't be removed: \(error.rawValue)")
    }
  }

  /// Whether a team was replaced by one that the user is in, so that the user cannot enter it again.
  func isReplaced(_ id: TeamID, for user: UInt32) -> Bool {
    teams(of: user).contains { $0.replaces.contains(id) }
  }

  /// Whether a code is for such a team.
  package func isReplaced(_ code: InvitationCode, for user: UInt32) -> Bool {
    teams(of: user).contains { $0.replaces.contains(where: code.isFor) }
  }
}

extension Invitation {
  /// What makes an invitation valid for the machines of a replaced team, and for no others. Removals from that team do
  /// not count, because anyone with its key can make them.
  struct Renewal: Equatable {
    /// The certificate of the old team's authority, in PEM.
    let authority: String

    /// How long the code of a renewal can be used: enough to walk to each of the other machines.
    static let renewalTime = Duration.seconds(60 * 60)

    init(of old: Credentials) throws(TLSError) { authority = try old.authority.pem() }

    /// Reads a renewal. The result is nil if a member is missing or has the wrong type.
    init?(json: JSON) {
      guard let authority = json.object?["authority"]?.string else { return nil }
      self.authority = authority
    }

    var json: JSON { ["authority": .string(authority)] }

    /// Checks that a request is from a machine of the old team.
    ///
    /// - Parameter certificate: The machine's certificate in the old team, in PEM. It may have ended.
    /// - Throws: `requestInvalid`, also if the certificate is a receipt, because anyone with a code can get one.
    func check(_ request: CertificateRequest, certificate: String?) throws(Reason) {
      guard let authority = try? Certificate(pem: authority), let text = certificate,
        text.utf8.count <= Limits.certificateLength, let certificate = try? Certificate(pem: text),
        certificate.isSigned(by: authority), !certificate.isReceipt,
        let device = try? request.deviceID, device == (try? certificate.deviceID)
      else { throw .requestInvalid }
    }
  }
}
