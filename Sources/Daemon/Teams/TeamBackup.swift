// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding

/// The content of a backup: everything that makes a machine a device of a team. It contains keys, which are secret.
///
/// It contains no codes that were given out, because a code that has been used since would be valid again.
package struct TeamBackup: Equatable, Sendable {
  /// The allowed depth of nesting. A backup is one object with lists of lists.
  private static let depth = 4
  /// The most users of one machine in one team. If there are more, they are not people.
  private static let owners = 1024
  /// Until the end of the year 9999.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799

  /// When it was made, in seconds since 1970.
  package let made: Int64
  /// What the machine called itself.
  package let machine: String
  /// The addresses that users of the machine gave for other machines of the team.
  package var addresses: [String]

  let name: String
  let owners: [UInt32]
  let created: Int64
  /// The teams that this one replaces.
  let replaces: [TeamID]
  /// In PEM, like the next two.
  let certificate: String
  let key: String
  let authority: String
  /// The team's key, on an administrator's machine; in PEM, or sealed with a passphrase.
  let authorityKey: String?
  let discoveryKey: [UInt8]
  /// In the format that ``RevocationFile`` reads and writes; nil if there is no list yet.
  let revocations: [UInt8]?
  /// Where the team's devices meet if they share no network.
  let rendezvous: RendezvousAccess?
  /// The devices that the administrator's machine has admitted.
  var devices: [AdmittedDevice]

  /// Reads the content of a backup. The result is nil if it is not one.
  init?(bytes: [UInt8]) {
    guard let object = (try? JSON(parsing: bytes, depth: Self.depth))?.object, let made = object["made"]?.int64,
      let machine = object["machine"]?.string, let addresses = object["addresses"]?.array,
      let description = TeamDescription(json: .object(object)), let certificate = object["certificate"]?.string,
      let key = object["key"]?.string, let authority = object["authority"]?.string,
      let discoveryKey = object["discoveryKey"]?.string.flatMap(Base64.decode), let devices = object["devices"]?.array
    else { return nil }
    self.made = made
    self.machine = machine
    self.addresses = addresses.compactMap(\.string)
    name = description.name
    owners = description.owners
    created = description.created
    replaces = description.replaces
    self.certificate = certificate
    self.key = key
    self.authority = authority
    authorityKey = object["authorityKey"]?.string
    self.discoveryKey = discoveryKey
    revocations = object["revocations"]?.string.map { Array($0.utf8) }
    rendezvous = object["rendezvous"].flatMap(RendezvousAccess.init(json:))
    self.devices = devices.compactMap(AdmittedDevice.init(packed:))
    guard self.devices.count == devices.count, self.addresses.count == addresses.count else { return nil }
  }

  init(
    made: Int64,
    machine: String,
    addresses: [String],
    description: TeamDescription,
    certificate: String,
    key: String,
    authority: String,
    authorityKey: String?,
    discoveryKey: [UInt8],
    revocations: [UInt8]?,
    rendezvous: RendezvousAccess? = nil,
    devices: [AdmittedDevice]
  ) {
    self.made = made
    self.machine = machine
    self.addresses = addresses
    name = description.name
    owners = description.owners
    created = description.created
    replaces = description.replaces
    self.certificate = certificate
    self.key = key
    self.authority = authority
    self.authorityKey = authorityKey
    self.discoveryKey = discoveryKey
    self.revocations = revocations
    self.rendezvous = rendezvous
    self.devices = devices
  }

  private var description: TeamDescription {
    TeamDescription(name: name, owners: owners, created: created, replaces: replaces)
  }

  var bytes: [UInt8] {
    var members: [String: JSON] = [
      "made": .integer(made), "machine": .string(machine), "addresses": .array(addresses.map(JSON.string)),
      "certificate": .string(certificate), "key": .string(key), "authority": .string(authority),
      "discoveryKey": .string(Base64.encode(discoveryKey)), "devices": .array(devices.map(\.packed)),
    ]
    members.merge(description.members) { first, _ in first }
    members["authorityKey"] = authorityKey.map(JSON.string)
    members["revocations"] = revocations.map { .string(String(decoding: $0, as: UTF8.self)) }
    members["rendezvous"] = rendezvous?.json
    return JSON.object(members).bytes
  }

  /// Whether the resulting team can be read from the disk again, and reported to programs. Keys and certificates are
  /// not checked.
  var isLoadable: Bool {
    let texts = [certificate, key, authority, authorityKey ?? ""]
    let times = [made, created] + devices.map(\.admitted)
    return Team.isName(name) && !owners.isEmpty && owners.count <= Self.owners
      && texts.allSatisfy { $0.utf8.count <= Limits.enrolmentFileLength / 2 }
      && times.allSatisfy(Self.times.contains)
      && devices.count <= Limits.admittedDevices && Set(devices.map(\.device)).count == devices.count
      && devices.allSatisfy { $0.name.utf8.count <= Limits.deviceNameLength }
  }

  /// This backup, and then versions with less and less that is not essential, to find one that fits into a file.
  /// Devices say their names again when they are met. Removed devices are in the revocation lists, too. Users can give
  /// the addresses again.
  var shortenings: [TeamBackup] {
    var shorter = [self]
    var next = self
    next.devices = devices.map { $0.named("") }
    shorter.append(next)
    next.devices = next.devices.filter { $0.revoked == nil }
    next.addresses = []
    shorter.append(next)
    return shorter
  }
}

extension AdmittedDevice {
  /// A form that takes a third of the space of ``json``.
  fileprivate var packed: JSON {
    let members: [JSON] = [.string(Base64.encode(device.bytes + serial)), .integer(admitted), .string(name)]
    return .array(isAdministrator ? members + [true] : members)
  }

  fileprivate init?(packed: JSON) {
    // Checked: there are three, or four.
    guard let list = packed.array, (3...4).contains(list.count), let bytes = list[0].string.flatMap(Base64.decode),
      // Checked: as above.
      let device = DeviceID(bytes: Array(bytes.prefix(DeviceID.byteCount))), let admitted = list[1].int64,
      let name = list[2].string  // Checked: as above.
    else { return nil }
    self.init(
      device: device,
      name: name,
      serial: Array(bytes.dropFirst(DeviceID.byteCount)),
      admitted: admitted,
      isAdministrator: list.count == 4
    )
  }
}
