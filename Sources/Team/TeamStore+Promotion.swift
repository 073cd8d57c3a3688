import Activity
import TLS

/// More than one machine with a team's key.
extension TeamStore {
  /// What makes a device an administrator.
  package struct Promotion: Equatable {
    /// For the device's key, as an administrator's; in PEM.
    package let certificate: String
    /// The team's key: in PEM, or sealed with a passphrase. A secret.
    package let authorityKey: String

    package init(certificate: String, authorityKey: String) {
      self.certificate = certificate
      self.authorityKey = authorityKey
    }
  }

  /// Makes what is to be sent to a device that is to have the team's key, and notes it before anybody has it.
  ///
  /// - Parameters:
  ///   - certificate: What the device has shown; it is good.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `certificateRevoked`, `limitReached`, `passphraseNeeded`, `storageFailed`.
  package func promote(_ certificate: Certificate, in id: TeamID, now: Int64) throws(Reason) -> Promotion {
    let team = try administered(id)
    let device = try checking { () throws(TLSError) in try certificate.deviceID }
    guard !team.credentials.revocations.names(device) else { throw .certificateRevoked }
    return try storing {
      let renewed = try authority(of: team).renew(certificate, isAdministrator: true, now: now)
      try note(renewed, in: team, now: now)
      return Promotion(certificate: try renewed.pem(), authorityKey: try files(of: team).loadAuthorityKey().text)
    }
  }

  /// Makes this machine one with the team's key. After a crash between the two files it has the key, and makes its
  /// certificate anew.
  ///
  /// - Parameters:
  ///   - promotion: From a device whose certificate says that it is an administrator's.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether it was none before.
  /// - Throws: `teamNotFound`, `storageFailed`; `certificateInvalid` where it is not this team's key, or not for this machine.
  package func accept(_ promotion: Promotion, in id: TeamID, now: Int64) throws(Reason) -> Bool {
    let team = try team(id)
    guard !team.canAdminister else { return false }
    guard let certificate = try? Certificate(pem: promotion.certificate), certificate.isAdministrator,
      (try? check(certificate, of: team, now: now)) != nil, let key = AuthorityKey(text: promotion.authorityKey),
      key.canBe(of: team.credentials.authority)
    else { throw .certificateInvalid }
    try storing {
      let files = files(of: team)
      if case .unusable = team.administration { try Files.setAside(files.authorityKey) }
      try files.replace(key)
      try replace(certificate, of: team)
    }
    return true
  }

  /// Takes down whom another administrator has admitted, as far as there is room. Nobody is forgotten for it.
  package func learn(_ told: [AdmittedDevice], in id: TeamID) throws(Reason) {
    let team = try team(id)
    guard team.canAdminister else { throw .notAdministrator }
    try storing {
      let before = try files(of: team).loadDevices()
      var devices = before
      for device in told where device.device != team.device {
        if let index = devices.firstIndex(where: { $0.device == device.device }) {
          devices[index] = devices[index].learning(device)
        } else if devices.count < Limits.admittedDevices, !team.credentials.revocations.names(device.device) {
          devices.append(device)
        }
      }
      if devices != before { try keep(devices, of: team) }
    }
  }

  /// What this machine tells other administrators: whom it knows to be in the team, and itself.
  ///
  /// - Parameter name: What this machine calls itself.
  package func told(_ id: TeamID, name: String) throws(Reason) -> [AdmittedDevice] {
    let team = try team(id)
    let others = try devices(of: id).filter { $0.revoked == nil }
    let serial = try storing { try team.credentials.certificate.serial }
    let own = AdmittedDevice(
      device: team.device,
      name: name.prefix(utf8Count: Limits.deviceNameLength),
      serial: serial,
      admitted: team.created,
      isAdministrator: true
    )
    return others + [own]
  }
}
