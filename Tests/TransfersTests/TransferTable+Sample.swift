// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Desktop

extension DeviceID {
  static let desktop = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
  static let laptop = DeviceID(bytes: [UInt8](repeating: 2, count: 32))!
  /// Its transfers are accepted.
  static let trusted = DeviceID(bytes: [UInt8](repeating: 3, count: 32))!
  /// Its transfers are refused.
  static let refused = DeviceID(bytes: [UInt8](repeating: 4, count: 32))!
}

extension TransferTable {
  static func sample() -> TransferTable { TransferTable { $0 == .trusted ? .accept : $0 == .refused ? .refuse : .ask } }
}

extension TransferTable.Offer {
  static let title = "notes.txt (1 byte)"

  static func sample(
    _ id: ActivityID,
    _ generation: Int,
    from device: DeviceID,
    name: String = "desktop",
    title: String = title
  ) -> TransferTable.Offer {
    TransferTable.Offer(id: id, deviceID: device, device: name, team: "T", title: title, generation: generation)
  }
}
