// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

extension ControlOffer {
  /// An offer of a machine of the team.
  static func sample(_ title: String, device: UInt8 = 1) throws -> ControlOffer {
    ControlOffer(
      id: .random(),
      activityType: "org.example.note",
      title: title,
      supportsContinuationStreams: false,
      hasApplication: true,
      device: "laptop \(device)",
      deviceID: try #require(DeviceID(bytes: Array(repeating: device, count: DeviceID.byteCount))),
      team: "0123456789",
      source: .session
    )
  }
}
