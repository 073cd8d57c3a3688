// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The devices that an administrator has admitted, sent to another administrator.
package struct Admitted: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.admitted.rawValue }

  package struct Device: Structure {
    package var device: DeviceID
    /// The serial number of its certificate: big-endian, without leading zeros.
    @Coded<Serial> package var serial: [UInt8]
    /// At most `Limits.deviceNameLength` bytes; may be empty.
    @Coded<DeviceName> package var name: String
    /// When it was admitted, in seconds since 1970.
    @Coded<AdmissionTime> package var admitted: Int64
    /// Whether it has the team's key, too.
    @Coded<FalseByDefault> package var isAdministrator: Bool

    private enum CodingKeys: String, CodingKey {
      case device, serial, name, admitted
      case isAdministrator = "administrator"
    }

    package init(device: DeviceID, serial: [UInt8], name: String, admitted: Int64, isAdministrator: Bool) {
      self.device = device
      self.serial = serial
      self.name = name
      self.admitted = admitted
      self.isAdministrator = isAdministrator
    }
  }

  /// 1 to `Limits.admittedPerMessage`.
  @Coded<DeviceList> package var devices: [Device]

  package init(devices: [Device]) { self.devices = devices }

  package enum Serial: BoundedBytes {
    package static let lengths = 1...20
  }

  package enum AdmissionTime: MemberCoding {
    /// Until the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    package static func decode(_ json: JSON?) -> Int64? { json?.int64.flatMap { times.contains($0) ? $0 : nil } }
    package static func encode(_ time: Int64) -> JSON? { .integer(time) }
  }

  package enum DeviceList: MemberCoding {
    package static func decode(_ json: JSON?) -> [Device]? {
      guard let list = json?.array, (1...Limits.admittedPerMessage).contains(list.count) else { return nil }
      let devices = list.compactMap(Device.init(json:))
      return devices.count == list.count ? devices : nil
    }

    package static func encode(_ devices: [Device]) -> JSON? { .array(devices.map(\.json)) }
  }
}
