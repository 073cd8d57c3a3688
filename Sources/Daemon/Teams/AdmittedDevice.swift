// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A device of a team that this machine, an administrator's, has admitted or has heard of.
package struct AdmittedDevice: Equatable, Sendable {
  package let device: DeviceID
  /// The name that it gave; empty if it has not given one yet, because it was admitted with files.
  package let name: String
  /// The serial number of its newest certificate: big-endian, without leading zeros.
  package let serial: [UInt8]
  /// When it was last admitted, in seconds since 1970.
  package let admitted: Int64
  /// When it was removed, in seconds since 1970; nil if it was not.
  package let revoked: Int64?
  /// Whether it has the team's key, too.
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

  /// Reads a device. The result is nil if a member is missing or has the wrong type.
  init?(json: JSON) {
    guard let object = json.object, let device = object["device"]?.string.flatMap(DeviceID.init(text:)),
      let name = object["name"]?.string, let serial = object["serial"]?.string.flatMap(Hexadecimal.decode),
      let admitted = object["admitted"]?.int64
    else { return nil }
    let isAdministrator = object["administrator"]?.bool ?? false
    self.init(device: device, name: name, serial: serial, admitted: admitted, isAdministrator: isAdministrator)
  }

  /// The form in the file. Whether the device was removed is in the revocation list.
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

  /// Returns the devices that a user can mean: those with this full name, and those whose ID begins with these digits,
  /// at least 4. If several match and exactly one of them was not removed, it is that one.
  package static func search(_ text: String, in devices: [AdmittedDevice]) -> [AdmittedDevice] {
    let found = devices.filter { $0.name.utf8.elementsEqual(text.utf8) || $0.hasDigits(text) }
    let present = found.filter { $0.revoked == nil }
    return present.count == 1 ? present : found
  }

  /// Whether a text begins the device's ID, with at least 4 digits.
  package func hasDigits(_ text: String) -> Bool {
    let digits = text.uppercased().utf8
    return digits.count >= DeviceNames.shortestID && device.text.utf8.starts(with: digits)
  }

  /// Returns the device with what was learned later: its name if none was known, and that it has the team's key.
  package func learning(_ later: AdmittedDevice) -> AdmittedDevice {
    with(name: name.isEmpty ? later.name : name, isAdministrator: isAdministrator || later.isAdministrator)
  }

  /// Returns the device with another name.
  func named(_ name: String) -> AdmittedDevice { with(name: name) }

  /// Returns the device as removed at this time.
  func revoked(_ date: Int64?) -> AdmittedDevice { with(revoked: .some(date)) }

  /// Returns the device with another certificate.
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
