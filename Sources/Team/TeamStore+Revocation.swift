import Activity
import TLS

/// Whom the administrator's machine has admitted, and who was removed.
extension TeamStore {
  // MARK: On the administrator's machine

  /// The devices that this machine has admitted to a team, the oldest first; not this machine itself.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`.
  package func devices(of id: TeamID) throws(Reason) -> [AdmittedDevice] {
    let team = try administered(id)
    let removed = Dictionary(
      (team.credentials.revocations?.entries ?? []).map { ($0.device, $0.date) },
      uniquingKeysWith: { first, _ in first }
    )
    return try storing {
      try files(of: team).loadDevices().map { $0.revoked(removed[$0.device]) }
    }
  }

  /// Removes a device from a team: signs a list with it and all that were removed before, makes a discovery key that it
  /// does not know, and keeps both. A crash leaves the old ones or the new.
  ///
  /// - Parameters:
  ///   - device: One of ``devices(of:)``. Nothing changes where it was removed before.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `peerNotFound`, `limitReached`.
  package func revoke(_ device: DeviceID, of id: TeamID, now: Int64) throws(Reason) {
    let team = try administered(id)
    let held = team.credentials.revocations
    guard held?.names(device) != true else { return }
    guard let admitted = try devices(of: id).first(where: { $0.device == device }) else { throw .peerNotFound }
    let entries = (held?.entries ?? []) + [.init(device: device, serial: admitted.serial, date: now)]
    let (number, isTooGreat) = (held?.number ?? 0).addingReportingOverflow(1)
    guard entries.count <= Limits.revokedDevices, !isTooGreat else { throw .limitReached }
    try storing {
      let key = SystemRandom.bytes(Sealer.keyLength)
      let authority = try files(of: team).loadAuthority(team.credentials.authority)
      try keep(try authority.sign(entries, number: number, discoveryKey: key, now: now), key, of: team)
    }
  }

  /// Takes down how a device calls itself that came without a name.
  package func learn(_ name: String, of device: DeviceID, in id: TeamID) throws(Reason) {
    let team = try administered(id)
    try storing {
      var devices = try files(of: team).loadDevices()
      guard !name.isEmpty, let index = devices.firstIndex(where: { $0.device == device && $0.name.isEmpty }) else {
        return
      }
      devices[index] = devices[index].named(name)
      try files(of: team).replace(devices)
    }
  }

  /// Finds out whether a device can be admitted before anything is done for it.
  func checkAdmission(of request: CertificateRequest, to team: Team) throws(Reason) {
    let device = try checking { () throws(TLSError) in try request.deviceID }
    guard team.credentials.revocations?.names(device) != true else { throw .certificateRevoked }
    let devices = try devices(of: team.id)
    guard
      devices.count < Limits.admittedDevices || devices.contains(where: { $0.device == device || $0.revoked != nil })
    else { throw .limitReached }
  }

  func remember(_ certificate: Certificate, name: String, in team: Team, now: Int64) throws {
    let device = try certificate.deviceID
    // Another user of this machine.
    guard device != team.device else { return }
    var devices = try devices(of: team.id).filter { $0.device != device }
    if devices.count >= Limits.admittedDevices, let index = devices.firstIndex(where: { $0.revoked != nil }) {
      devices.remove(at: index)
    }
    devices.append(
      AdmittedDevice(
        device: device,
        name: name.prefix(utf8Count: Limits.deviceNameLength),
        serial: try certificate.serial,
        admitted: now
      )
    )
    try files(of: team).replace(devices)
  }

  // MARK: On every machine

  /// Takes the revocation list that a peer gave, where it is newer than the one that is here.
  ///
  /// - Parameters:
  ///   - der: The list.
  ///   - discoveryKey: The key that goes with it.
  /// - Returns: Whether it was.
  /// - Throws: `teamNotFound`; `certificateInvalid` where the team's authority has not signed the list, or for another key.
  package func take(_ der: [UInt8], discoveryKey: [UInt8], of id: TeamID) throws(Reason) -> Bool {
    let team = try team(id)
    // Not logged here: a peer can give as many as it likes.
    guard let list = try? RevocationList(der: der, authority: team.credentials.authority),
      list.isWith(discoveryKey: discoveryKey)
    else { throw .certificateInvalid }
    guard list.number > team.credentials.revocations?.number ?? 0 else { return false }
    try storing { try keep(list, discoveryKey, of: team) }
    return true
  }

  private func keep(_ list: RevocationList, _ discoveryKey: [UInt8], of team: Team) throws {
    let keys = [team.credentials.discoveryKey] + team.credentials.previousKeys
    let previous = keys.filter { $0 != discoveryKey }.prefix(Limits.previousDiscoveryKeys)
    try files(of: team).replace(
      RevocationFile(list: list, discoveryKey: discoveryKey, previousKeys: Array(previous))
    )
    try reload(team)
  }
}
