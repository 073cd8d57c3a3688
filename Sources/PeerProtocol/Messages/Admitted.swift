import Activity
import JSONCoding

/// The devices that an administrator has admitted, sent to another administrator.
package struct Admitted: MessageBody {
  package static let type: UInt8 = 68

  package struct Device: Structure {
    package var device: DeviceID
    /// The serial number of its certificate: big-endian, without leading zeros.
    package var serial: [UInt8]
    /// At most `Limits.deviceNameLength` bytes; may be empty.
    package var name: String
    /// When it was admitted, in seconds since 1970.
    package var admitted: Int64
    /// Whether it has the team's key, too.
    package var isAdministrator: Bool

    private static let serialLength = 1...20
    /// Until the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    package init(device: DeviceID, serial: [UInt8], name: String, admitted: Int64, isAdministrator: Bool) {
      self.device = device
      self.serial = serial
      self.name = name
      self.admitted = admitted
      self.isAdministrator = isAdministrator
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      device = try members.required("device") { $0.string.flatMap(DeviceID.init(text:)) }
      serial = try members.required("serial") { json in
        json.string.flatMap(Base64.decode).flatMap { Self.serialLength.contains($0.count) ? $0 : nil }
      }
      name = try members.required("name") { json in
        json.string.flatMap { $0.utf8.count <= Limits.deviceNameLength ? $0 : nil }
      }
      admitted = try members.required("admitted") { json in
        json.int64.flatMap { Self.times.contains($0) ? $0 : nil }
      }
      isAdministrator = try members.optional("administrator", \.bool) ?? false
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = [
        "device": .string(device.text), "serial": .string(Base64.encode(serial)), "name": .string(name),
        "admitted": .integer(admitted),
      ]
      if isAdministrator { members["administrator"] = true }
      return members
    }
  }

  /// 1 to `Limits.admittedPerMessage`.
  package var devices: [Device]

  package init(devices: [Device]) { self.devices = devices }

  package init(_ members: inout Members) throws(InvalidParameter) {
    devices = try members.required("devices") { json in
      guard let list = json.array, (1...Limits.admittedPerMessage).contains(list.count) else { return nil }
      let devices = list.compactMap(Device.init(json:))
      return devices.count == list.count ? devices : nil
    }
  }

  package var members: [String: JSON] { ["devices": .array(devices.map(\.json))] }
}
