// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Giving a team's key to more than one machine.
extension TeamStore {
  /// What makes a device an administrator.
  package struct Promotion: Equatable, Sendable {
    /// A certificate for the device's key, with the administrator's extension; in PEM.
    package let certificate: String
    /// The team's key, in PEM or sealed with a passphrase. It is secret.
    package let authorityKey: String

    package init(certificate: String, authorityKey: String) {
      self.certificate = certificate
      self.authorityKey = authorityKey
    }
  }

  /// Makes what a device needs to become an administrator, and records it before anybody has it.
  ///
  /// - Parameters:
  ///   - certificate: The certificate that the device has shown, which is valid.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `certificateRevoked`, `limitReached`, `passphraseNeeded`,
  ///   `storageFailed`.
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

  /// Makes this machine an administrator. After a crash between the two files, it has the key, and renews its
  /// certificate.
  ///
  /// - Parameters:
  ///   - promotion: From a device whose certificate says that it is an administrator's.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether it was not an administrator before.
  /// - Throws: `teamNotFound`, `storageFailed`; `certificateInvalid` if it is not this team's key, or not for this
  ///   machine.
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

  /// Records whom another administrator has admitted, as far as there is room. No device is forgotten for this.
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

  /// Returns what this machine tells other administrators: the devices that it knows to be in the team, and itself.
  ///
  /// - Parameters:
  ///   - name: What this machine calls itself.
  ///   - met: Devices that sessions have shown, and that are not recorded yet.
  package func told(_ id: TeamID, name: String, meeting met: [AdmittedDevice] = []) throws(Reason) -> [AdmittedDevice] {
    let team = try team(id)
    let others = try devices(of: id, meeting: met).filter { $0.revoked == nil }
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
