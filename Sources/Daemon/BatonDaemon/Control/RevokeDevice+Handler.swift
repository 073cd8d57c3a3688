// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Teams
import VarlinkServer

extension ControlServer {
  func revokeDevice(_ parameters: RevokeDevice.Parameters, _ exchange: Exchange<RevokeDevice>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let isOwn =
        "This machine can't remove itself. Remove it on another admin machine, or run `baton team leave` here."
      guard let device = try admitted(parameters.device, to: team, exchange, isOwn: isOwn) else { return }
      if device.revoked == nil { try await membership.revoke(device.device, of: team, by: exchange.user) }
      let revoked = try membership.devices(of: team).first { $0.device == device.device } ?? device
      exchange.reply(RevokeDevice.Reply(device: ControlDevice(revoked), already: device.revoked != nil))
    }
  }
}
