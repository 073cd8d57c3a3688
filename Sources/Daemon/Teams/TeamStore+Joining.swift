// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Bringing this machine into a team that another one administers, and admitting machines without a network.
extension TeamStore {
  /// The maximum number of one user's membership requests that wait for approval. A new one replaces the oldest.
  static let pendingRequestsPerUser = 16

  // MARK: With a code

  /// Accepts what an administrator answered to this device's request, completely or not at all.
  ///
  /// - Parameters:
  ///   - key: The key that the request was made for.
  ///   - nonce: The nonce of the request.
  ///   - owner: The user who joined.
  ///   - replacing: The team that the new one replaces for this user or, if the user is root, for all users of the old
  ///     team.
  ///   - now: Seconds since 1970.
  /// - Returns: The team. If the user was already in it, the machine has another certificate now, because its own was
  ///   due.
  /// - Throws: `otherTeam` if the answer is from a team that the code is not for, `protocolViolation` if it is
  ///   incomplete or not for this request, `teamNotFound`, `teamRenewed`, `alreadyMember`, `teamLimitReached`.
  ///   Otherwise, the reason why the certificate, or the one that the machine has, is useless.
  package func complete(
    _ joined: Joined,
    key: PrivateKey,
    nonce: [UInt8],
    code: InvitationCode,
    owner: UInt32,
    replacing: TeamID? = nil,
    now: Int64
  ) throws(Reason) -> Team {
    guard let credentials = try? credentials(from: joined, key: key) else { throw .protocolViolation }
    guard code.isFor(credentials.team) else { throw .otherTeam }
    guard Team.isName(joined.team) else { throw .protocolViolation }
    // A certificate for the key of a machine in the team is no secret. Only one with this request's nonce shows that
    // the code is valid.
    guard credentials.certificate.nonce == nonce else { throw .protocolViolation }
    let old = try replacing.map { id throws(Reason) in try team(id) }
    guard old?.belongs(to: owner) ?? true, old?.id != credentials.team else { throw .teamNotFound }
    guard !isReplaced(credentials.team, for: owner) else { throw .teamRenewed }
    // Root takes all users of the old team along.
    let owners = owner == 0 ? old?.owners ?? [owner] : [owner]
    if let team = try? team(credentials.team), old != nil || !Set(owners).isSubset(of: team.owners) {
      try check(proof: credentials.certificate, of: team, now: now)
      return try add(owners, to: team, replacing: old)
    }
    let entered = try enter(credentials, name: joined.team, owners: owners, replacing: old, now: now)
    return try take(joined, of: entered)
  }

  /// Takes where the team meets. It is told again in the first session, so the machine is in the team without it, too.
  private func take(_ joined: Joined, of team: Team) throws(Reason) -> Team {
    if let access = joined.rendezvous { _ = try? take(access, of: team.id) }
    return try self.team(team.id)
  }

  // MARK: With files

  /// Makes a membership request, and keeps its key until the approval arrives.
  ///
  /// - Parameter owner: The user who asks, and who may import the approval.
  /// - Returns: PKCS #10 in PEM.
  package func request(owner: UInt32) throws(Reason) -> String {
    try storing {
      let key = try PrivateKey.make()
      let path = pendingKey(hash: try key.publicKeyHash, owner: owner)
      try forgetOldestRequests(of: owner)
      try secrets.write(key.pem().utf8, to: path, in: pendingPath)
      return try CertificateRequest.make(for: key).pem()
    }
  }

  /// Admits a machine by its request.
  ///
  /// - Parameters:
  ///   - request: PKCS #10 in PEM.
  ///   - now: Seconds since 1970.
  /// - Returns: The approval as text. It contains the discovery key, which is secret.
  /// - Throws: `teamNotFound`, `notAdministrator`, `requestInvalid`, `certificateRevoked`, `limitReached`,
  ///   `passphraseNeeded`.
  package func approve(_ request: String, in id: TeamID, now: Int64) throws(Reason) -> String {
    let team = try administered(id)
    let request = try checking { () throws(TLSError) in try CertificateRequest(pem: request) }
    try checkAdmission(of: request, to: team)
    return Approval(try admit(request, name: "", to: team, now: now)).text
  }

  /// Enters the team of an approval for a request that the same user made on this machine.
  ///
  /// - Parameters:
  ///   - text: The approval.
  ///   - now: Seconds since 1970.
  /// - Throws: `approvalInvalid`, `versionMismatch`, `alreadyMember`, `teamRenewed`, `teamLimitReached`, or the reason
  ///   why the certificate is useless.
  package func `import`(_ text: String, owner: UInt32, now: Int64) throws(Reason) -> Team {
    let joined = try Approval(text: text).joined
    guard let hash = try? Certificate(pem: joined.certificate).publicKeyHash, Team.isName(joined.team) else {
      throw .approvalInvalid
    }
    let path = pendingKey(hash: hash, owner: owner)
    let key = try storing { try loadPendingKey(path) }
    guard let key, let credentials = try? credentials(from: joined, key: key) else { throw .approvalInvalid }
    guard !isReplaced(credentials.team, for: owner) else { throw .teamRenewed }
    let team = try enter(credentials, name: joined.team, owners: [owner], now: now)
    Files.remove(path)
    return try take(joined, of: team)
  }

  // MARK: -

  private func credentials(from joined: Joined, key: PrivateKey) throws(TLSError) -> Credentials {
    let authority = try Certificate(pem: joined.authority)
    guard authority.isSigned(by: authority) else {
      throw TLSError(.certificateInvalid, "The authority isn't self-signed")
    }
    var revocations = RevocationLists()
    if let der = joined.revocations {
      let list = try RevocationList(der: der, authority: authority)
      guard list.isWith(discoveryKey: joined.discoveryKey) else {
        throw TLSError(.certificateInvalid, "The discovery key is different")
      }
      revocations = RevocationLists(list, discoveryKey: joined.discoveryKey)
    }
    return try Credentials(
      key: key,
      certificate: Certificate(pem: joined.certificate),
      authority: authority,
      discoveryKey: joined.discoveryKey,
      revocations: revocations
    )
  }

  private func enter(
    _ credentials: Credentials,
    name: String,
    owners: [UInt32],
    replacing old: Team? = nil,
    now: Int64
  ) throws(Reason) -> Team {
    let known = try? team(credentials.team)
    try checking { () throws(TLSError) in
      try credentials.certificate.verify(
        under: credentials.authority,
        revocations: known?.credentials.revocations ?? credentials.revocations,
        now: now
      )
    }
    if let team = known {
      guard Set(owners).isSubset(of: team.owners) else { return try add(owners, to: team, replacing: old) }
      guard team.credentials.certificate.isDue(now: now), team.device == credentials.device else {
        throw .alreadyMember
      }
      // The machine was away for so long that nobody could renew its certificate.
      return try storing {
        try replace(credentials.certificate, of: team)
        return try self.team(team.id)
      }
    }
    // If there are several owners, root takes them along. They have room, because they leave the old team.
    if old?.owners != owners, let owner = owners.first { try checkLimit(for: owner) }
    let description = TeamDescription(name: name, owners: owners, created: now, replaces: Self.replaces(old))
    let team = try storing { try install(credentials, description: description) }
    if let old { leave(old.id, replacedBy: team.id, users: owners) }
    return team
  }

  /// Adds users to a team that this machine is already in. The machine stays the same device.
  private func add(_ owners: [UInt32], to team: Team, replacing old: Team?) throws(Reason) -> Team {
    let missing = Set(owners).subtracting(team.owners)
    let replaces = team.replaces + Self.replaces(old)
    let entered = try storing { try set(owners: team.owners + missing, replaces: replaces, of: team) }
    if let old { leave(old.id, replacedBy: team.id, users: owners) }
    leaveReplaced()
    return entered
  }

  private static func replaces(_ old: Team?) -> [TeamID] { old.map { [$0.id] + $0.replaces } ?? [] }

  private func pendingKey(hash: [UInt8], owner: UInt32) -> String {
    "\(pendingPath)/\(Hexadecimal.encode(hash))\(Self.pendingSuffix(owner))"
  }

  /// - Returns: Nil if there is none.
  private func loadPendingKey(_ path: String) throws(StorageError) -> PrivateKey? {
    let pem: [UInt8]
    do throws(StorageError) {
      pem = try secrets.read(path, limit: Limits.enrolmentFileLength)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    guard let key = try? PrivateKey(pem: String(decoding: pem, as: UTF8.self)) else {
      throw StorageError("read", path, code: 0)
    }
    return key
  }

  private static func pendingSuffix(_ owner: UInt32) -> String { "-\(owner).key" }

  private func forgetOldestRequests(of owner: UInt32) throws(StorageError) {
    let paths = try Files.names(in: pendingPath)
      .filter { $0.ends(withBytesOf: Self.pendingSuffix(owner)) }
      .map { "\(pendingPath)/\($0)" }
      .sorted { (Files.modified($0) ?? .zero) < (Files.modified($1) ?? .zero) }
    for path in paths.dropLast(Self.pendingRequestsPerUser - 1) { Files.remove(path) }
  }
}
