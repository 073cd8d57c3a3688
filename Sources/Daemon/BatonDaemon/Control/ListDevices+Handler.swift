// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Teams
import VarlinkServer

extension ControlServer {
  func listDevices(_ parameters: ListDevices.Parameters, _ exchange: Exchange<ListDevices>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      exchange.reply(ListDevices.Reply(devices: try membership.devices(of: team).map(ControlDevice.init)))
    }
  }
}

extension ControlDevice {
  init(_ device: AdmittedDevice) {
    self.init(
      name: device.name,
      deviceID: device.device,
      serial: device.serialText,
      admitted: Double(device.admitted),
      revoked: device.revoked.map(Double.init),
      administrator: device.isAdministrator
    )
  }
}
