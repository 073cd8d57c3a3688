// SPDX-License-Identifier: Apache-2.0

import Activity

extension ControlCopy {
  package init(_ info: CopyInfo, device: String? = nil, deviceID: DeviceID? = nil, team: String? = nil) {
    self.init(
      types: info.types.map(\.description),
      size: info.size,
      copied: info.copied,
      device: device,
      deviceID: deviceID,
      team: team
    )
  }
}
