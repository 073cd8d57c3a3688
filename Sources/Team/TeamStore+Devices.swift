import Activity
import TLS

/// Whom the administrators of a team have admitted, as the machine of one of them knows it.
extension TeamStore {
  /// The devices that this machine has admitted to a team, or has heard of, the oldest first; not this machine itself.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`.
  package func devices(of id: TeamID) throws(Reason) -> [AdmittedDevice] {
    let team = try administered(id)
    let removed = Dictionary(
      team.credentials.revocations.entries.map { ($0.device, $0.date) },
      uniquingKeysWith: { first, _ in first }
    )
    return try storing {
      try files(of: team).loadDevices().map { $0.revoked(removed[$0.device]) }
    }
  }

  /// Takes down whom a session is with: how the device calls itself, where it came without a name, and that it has the
  /// team's key; and all of it where this machine does not know the device, as another administrator has admitted it, or as this machine was
  /// put back to a time before it did.
  ///
  /// - Parameter serial: Of the certificate that the device has shown.
  package func learn(
    _ name: String,
    serial: [UInt8],
    of device: DeviceID,
    in id: TeamID,
    isAdministrator: Bool = false,
    now: Int64
  ) throws(Reason) {
    let team = try team(id)
    guard team.canAdminister, device != team.device else { return }
    try storing {
      let name = name.prefix(utf8Count: Limits.deviceNameLength)
      let met = AdmittedDevice(
        device: device,
        name: name,
        serial: serial,
        admitted: now,
        isAdministrator: isAdministrator
      )
      let devices = try files(of: team).loadDevices()
      guard let known = devices.first(where: { $0.device == device }) else {
        guard try hasRoom(in: team) else { throw Reason.limitReached }
        return try remember(met, in: team)
      }
      let learnt = known.learning(met)
      if learnt != known { try keep(devices.map { $0.device == device ? learnt : $0 }, of: team) }
    }
  }

  /// Notes the certificate that a device is to have next.
  func note(_ certificate: Certificate, in team: Team, now: Int64) throws {
    let device = try certificate.deviceID
    guard device != team.device else { return }
    let noted = AdmittedDevice(
      device: device,
      name: "",
      serial: try certificate.serial,
      admitted: now,
      isAdministrator: certificate.isAdministrator
    )
    let devices = try files(of: team).loadDevices()
    guard let known = devices.first(where: { $0.device == device }) else {
      guard try hasRoom(in: team) else { throw Reason.limitReached }
      return try remember(noted, in: team)
    }
    let changed = known.learning(noted).with(serial: noted.serial)
    try keep(devices.map { $0.device == device ? changed : $0 }, of: team)
  }

  /// Finds out whether a device can be admitted before anything is done for it.
  ///
  /// - Parameter member: The device of the team that asks, though the request is for another key: none is admitted.
  func checkAdmission(of request: CertificateRequest, by member: DeviceID? = nil, to team: Team) throws(Reason) {
    let device = try checking { () throws(TLSError) in try request.deviceID }
    let removed = team.credentials.revocations
    guard ![device, member ?? device].contains(where: removed.names) else { throw .certificateRevoked }
    guard member == nil else { return }
    // A device is given one list when it is admitted, and would let those in that only another names.
    guard team.credentials.revocations.all.count <= 1 else { throw .limitReached }
    let isKnown = try devices(of: team.id).contains { $0.device == device }
    if try !hasRoom(in: team), !isKnown { throw .limitReached }
  }

  /// Whether one more device can be remembered; a removed one is forgotten for it.
  private func hasRoom(in team: Team) throws(Reason) -> Bool {
    let devices = try devices(of: team.id)
    return devices.count < Limits.admittedDevices || devices.contains { $0.revoked != nil }
  }

  func remember(_ certificate: Certificate, name: String, in team: Team, now: Int64) throws {
    let device = try certificate.deviceID
    // Another user of this machine.
    guard device != team.device else { return }
    let known = try files(of: team).loadDevices().first { $0.device == device }
    try remember(
      AdmittedDevice(
        device: device,
        name: name.prefix(utf8Count: Limits.deviceNameLength),
        serial: try certificate.serial,
        admitted: now,
        isAdministrator: known?.isAdministrator ?? false
      ),
      in: team
    )
  }

  private func remember(_ device: AdmittedDevice, in team: Team) throws {
    var devices = try devices(of: team.id).filter { $0.device != device.device }
    if devices.count >= Limits.admittedDevices, let index = devices.firstIndex(where: { $0.revoked != nil }) {
      devices.remove(at: index)
    }
    devices.append(device)
    try keep(devices, of: team)
  }

  /// Puts what is known of the devices on the disk.
  func keep(_ devices: [AdmittedDevice], of team: Team) throws {
    try files(of: team).replace(devices)
    onDevicesChanged?(team.id)
  }
}
