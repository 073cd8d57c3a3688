import Activity
import ControlInterface
import Team
import VarlinkServer

extension ControlServer {
  func revokeDevice(_ parameters: RevokeDevice.Parameters, _ exchange: Exchange<RevokeDevice>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let found = AdmittedDevice.search(parameters.device, in: try membership.devices(of: team))
      guard let device = found.first else {
        guard team.device.text == parameters.device.uppercased() || host.deviceName == parameters.device else {
          throw .peerNotFound
        }
        return exchange.fail(
          .notPermitted,
          message: "This machine administers the team, and cannot be removed from it."
        )
      }
      guard found.count == 1 else { return exchange.fail(.deviceAmbiguous, message: Self.choice(found)) }
      if device.revoked == nil { try membership.revoke(device.device, of: team) }
      let revoked = try membership.devices(of: team).first { $0.device == device.device } ?? device
      exchange.reply(RevokeDevice.Reply(device: ControlDevice(revoked), already: device.revoked != nil))
    }
  }

  /// One sentence that lists what could be meant.
  private static func choice(_ devices: [AdmittedDevice]) -> String {
    let list = devices.map { "\"\($0.name)\" with the ID \($0.device)" }.joined(separator: ", ")
    return "Several devices of the team fit; name one by its ID: \(list)."
  }
}
