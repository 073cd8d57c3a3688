// SPDX-License-Identifier: Apache-2.0

import Activity
import Synchronization
import TLS

/// The devices that the administrators of a team have admitted, as the machine of one of them knows them.
extension TeamStore {
  /// Returns the devices that this machine has admitted to a team, or has heard of, the oldest first, without this
  /// machine.
  ///
  /// - Parameter met: Devices that sessions have shown, and that are not recorded yet.
  /// - Throws: `teamNotFound`, `notAdministrator`.
  package func devices(of id: TeamID, meeting met: [AdmittedDevice]) throws(Reason) -> [AdmittedDevice] {
    let known = try devices(of: id)
    guard !met.isEmpty, let team = try? team(id), team.canAdminister else { return known }
    let removed = removals(of: team)
    return Self.learning(met, known, in: team).devices.map { $0.revoked(removed[$0.device]) }
  }

  /// Returns the devices that this machine has admitted to a team, or has heard of, the oldest first, without this
  /// machine.
  ///
  /// - Throws: `teamNotFound`, `notAdministrator`.
  package func devices(of id: TeamID) throws(Reason) -> [AdmittedDevice] {
    let team = try administered(id)
    let removed = removals(of: team)
    return try storing {
      try loadDevices(of: team).map { $0.revoked(removed[$0.device]) }
    }
  }

  /// Reads the list, unless it was read since it was written: a session with each of them needs it.
  private func loadDevices(of team: Team) throws(StorageError) -> [AdmittedDevice] {
    let files = files(of: team)
    let stamp = files.devicesStamp
    let read = memory.withLock { $0.devices[team.id] }
    if let read, read.stamp == stamp { return read.list }
    let list = try files.loadDevices()
    memory.withLock { $0.devices[team.id] = stamp.map { ($0, list) } }
    return list
  }

  /// When each device was removed from the team.
  private func removals(of team: Team) -> [DeviceID: Int64] {
    Dictionary(
      team.credentials.revocations.entries.map { ($0.device, $0.date) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Records what sessions show about devices: their names if none were known, and whether they have the team's key. If
  /// a device is unknown, everything is recorded. Then another administrator has admitted it, or this machine was
  /// restored to a time before it did so itself. The whole list is written once, so record many devices together.
  ///
  /// - Throws: `teamNotFound`, `storageFailed`; `limitReached` if there is no room for some.
  package func learn(met devices: [AdmittedDevice], in id: TeamID) throws(Reason) {
    let team = try team(id)
    guard team.canAdminister else { return }
    let before = try self.devices(of: id)
    let (known, isFull) = Self.learning(devices, before, in: team)
    if known != before { try storing { try keep(known, of: team) } }
    if isFull { throw .limitReached }
  }

  /// Returns the known devices with what sessions have shown, and whether there was no room for some.
  private static func learning(
    _ devices: [AdmittedDevice],
    _ before: [AdmittedDevice],
    in team: Team
  ) -> (devices: [AdmittedDevice], isFull: Bool) {
    var (known, isFull) = (before, false)
    func places() -> [DeviceID: Int] {
      Dictionary(known.enumerated().map { ($1.device, $0) }, uniquingKeysWith: { first, _ in first })
    }
    var place = places()
    for device in devices where device.device != team.device {
      let met = device.named(device.name.prefix(utf8Count: Limits.deviceNameLength))
      if let place = place[device.device] {
        known[place] = known[place].learning(met)
        continue
      }
      if known.count >= Limits.admittedDevices, let removed = known.firstIndex(where: { $0.revoked != nil }) {
        known.remove(at: removed)
        place = places()
      }
      guard known.count < Limits.admittedDevices else {
        isFull = true
        continue
      }
      place[device.device] = known.count
      known.append(met)
    }
    return (known, isFull)
  }

  /// Records the certificate that a device will have next.
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
    let devices = try loadDevices(of: team)
    guard let known = devices.first(where: { $0.device == device }) else {
      guard try hasRoom(in: team) else { throw Reason.limitReached }
      return try remember(noted, in: team)
    }
    let changed = known.learning(noted).with(serial: noted.serial)
    try keep(devices.map { $0.device == device ? changed : $0 }, of: team)
  }

  /// Checks that a device can be admitted, before anything is done for it.
  ///
  /// - Parameter member: The device of the team that asks, if the request is for another key. Then no device is
  ///   admitted.
  func checkAdmission(of request: CertificateRequest, by member: DeviceID? = nil, to team: Team) throws(Reason) {
    let device = try checking { () throws(TLSError) in try request.deviceID }
    let removed = team.credentials.revocations
    guard ![device, member ?? device].contains(where: removed.names) else { throw .certificateRevoked }
    guard member == nil else { return }
    // A device gets one list when it is admitted. It would let in devices that only another list names.
    guard team.credentials.revocations.all.count <= 1 else { throw .limitReached }
    let isKnown = try devices(of: team.id).contains { $0.device == device }
    if try !hasRoom(in: team), !isKnown { throw .limitReached }
  }

  /// Whether another device can be remembered. If necessary, a removed one is forgotten.
  private func hasRoom(in team: Team) throws(Reason) -> Bool {
    let devices = try devices(of: team.id)
    return devices.count < Limits.admittedDevices || devices.contains { $0.revoked != nil }
  }

  func remember(_ certificate: Certificate, name: String, in team: Team, now: Int64) throws {
    let device = try certificate.deviceID
    // The device is this machine, if another of its users was admitted.
    guard device != team.device else { return }
    let known = try loadDevices(of: team).first { $0.device == device }
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

  /// Writes what is known about the devices to the disk.
  func keep(_ devices: [AdmittedDevice], of team: Team) throws {
    memory.withLock { $0.devices[team.id] = nil }
    try files(of: team).replace(devices)
    onDevicesChanged?(team.id)
  }
}
