// SPDX-License-Identifier: Apache-2.0

import Activity
import Teams

extension TeamStore {
  /// Records what a session with one device shows.
  func learn(
    _ name: String,
    serial: [UInt8],
    of device: DeviceID,
    in team: TeamID,
    now: Int64
  ) throws(Reason) {
    try learn(met: [AdmittedDevice(device: device, name: name, serial: serial, admitted: now)], in: team)
  }
}
