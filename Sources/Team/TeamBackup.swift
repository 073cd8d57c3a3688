import Activity
import JSON

/// What makes a machine one device of a team, as it is in a backup. Holds keys: a secret.
///
/// Codes that were given out are not in it: one that was used since would be good again.
package struct TeamBackup: Equatable, Sendable {
  /// Objects within one another: it is one, with lists of lists.
  private static let depth = 4
  /// Users of one machine in one team: more are no longer people.
  private static let owners = 1024
  /// Until the end of the year 9999.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799

  /// When it was made, in seconds since 1970.
  package let made: Int64
  /// What the machine called itself.
  package let machine: String
  /// Where users of the machine said that others of the team are.
  package var addresses: [String]

  let name: String
  let owners: [UInt32]
  let created: Int64
  /// The teams in whose place it is.
  let replaces: [TeamID]
  /// PEM, as the three below.
  let certificate: String
  let key: String
  let authority: String
  /// On an administrator's machine; in PEM, or sealed with a passphrase.
  let authorityKey: String?
  let discoveryKey: [UInt8]
  /// What ``RevocationFile`` reads and writes; nil before the first.
  let revocations: [UInt8]?
  /// Those that the administrator's machine has admitted.
  var devices: [AdmittedDevice]

  /// Nil where the content is none.
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
    return JSON.object(members).bytes
  }

  /// Whether what is made of it can be read again from the disk, and told to programs. Keys and certificates are not looked
  /// at.
  var isLoadable: Bool {
    let texts = [certificate, key, authority, authorityKey ?? ""]
    let times = [made, created] + devices.map(\.admitted)
    return Team.isName(name) && !owners.isEmpty && owners.count <= Self.owners
      && texts.allSatisfy { $0.utf8.count <= Limits.enrolmentFileLength / 2 }
      && times.allSatisfy(Self.times.contains)
      && devices.count <= Limits.admittedDevices && Set(devices.map(\.device)).count == devices.count
      && devices.allSatisfy { $0.name.utf8.count <= Limits.deviceNameLength }
  }

  /// The same, and with less and less that is not needed, to find what fits in a file: devices say their names again when
  /// they are met; those that were removed are in the revocations, too; and addresses can be named again.
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
  /// In a third of what ``json`` takes.
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
