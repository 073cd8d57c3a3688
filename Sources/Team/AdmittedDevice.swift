import Activity
import JSON

/// A device that this machine, the team's administrator's, has admitted.
package struct AdmittedDevice: Equatable, Sendable {
  package let device: DeviceID
  /// What it called itself; empty where it has not said so yet, as it came with files.
  package let name: String
  /// Of its newest certificate: big-endian, without zeros in front.
  package let serial: [UInt8]
  /// When it was admitted last, in seconds since 1970.
  package let admitted: Int64
  /// When it was removed, in seconds since 1970; nil where it was not.
  package let revoked: Int64?
  /// It has the team's key, too.
  package let isAdministrator: Bool

  package init(
    device: DeviceID,
    name: String,
    serial: [UInt8],
    admitted: Int64,
    revoked: Int64? = nil,
    isAdministrator: Bool = false
  ) {
    self.device = device
    self.name = name
    self.serial = serial
    self.admitted = admitted
    self.revoked = revoked
    self.isAdministrator = isAdministrator
  }

  /// Nil where a member is missing or of a wrong type.
  init?(json: JSON) {
    guard let object = json.object, let device = object["device"]?.string.flatMap(DeviceID.init(text:)),
      let name = object["name"]?.string, let serial = object["serial"]?.string.flatMap(Hexadecimal.decode),
      let admitted = object["admitted"]?.int64
    else { return nil }
    let isAdministrator = object["administrator"]?.bool ?? false
    self.init(device: device, name: name, serial: serial, admitted: admitted, isAdministrator: isAdministrator)
  }

  /// As it is in the file; whether it was removed is in the revocation list.
  var json: JSON {
    var members: [String: JSON] = [
      "device": .string(device.text), "name": .string(name), "serial": .string(Hexadecimal.encode(serial)),
      "admitted": .integer(admitted),
    ]
    if isAdministrator { members["administrator"] = true }
    return .object(members)
  }

  /// The serial number in hexadecimal digits.
  package var serialText: String { Hexadecimal.encode(serial) }

  /// The devices that a user can mean: by their name in full, or by at least 4 digits from the begin of their ID. Where
  /// several fit and one was not removed, it is the one.
  package static func search(_ text: String, in devices: [AdmittedDevice]) -> [AdmittedDevice] {
    let digits = text.uppercased()
    let found = devices.filter {
      $0.name == text || (digits.utf8.count >= shortestID && $0.device.text.hasPrefix(digits))
    }
    let present = found.filter { $0.revoked == nil }
    return present.count == 1 ? present : found
  }

  private static let shortestID = 4

  /// The same device with what is known of it now: the name that it gave later, and that it has the team's key.
  package func learning(_ later: AdmittedDevice) -> AdmittedDevice {
    with(name: name.isEmpty ? later.name : name, isAdministrator: isAdministrator || later.isAdministrator)
  }

  /// The same device under another name.
  func named(_ name: String) -> AdmittedDevice { with(name: name) }

  /// The same device, removed at this time.
  func revoked(_ date: Int64?) -> AdmittedDevice { with(revoked: .some(date)) }

  /// The same device with another certificate.
  func with(serial: [UInt8]) -> AdmittedDevice { with(serial: .some(serial)) }

  private func with(
    name: String? = nil,
    serial: [UInt8]? = nil,
    revoked: Int64?? = nil,
    isAdministrator: Bool? = nil
  ) -> AdmittedDevice {
    AdmittedDevice(
      device: device,
      name: name ?? self.name,
      serial: serial ?? self.serial,
      admitted: admitted,
      revoked: revoked ?? self.revoked,
      isAdministrator: isAdministrator ?? self.isAdministrator
    )
  }
}
