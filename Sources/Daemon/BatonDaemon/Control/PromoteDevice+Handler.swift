// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func promoteDevice(_ parameters: PromoteDevice.Parameters, _ exchange: Exchange<PromoteDevice>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let isOwn = "This machine already has the team's key."
      guard let device = try admitted(parameters.device, to: team, exchange, isOwn: isOwn) else { return }
      guard device.revoked == nil else { throw .certificateRevoked }
      try membership.checkKey(of: team, for: exchange.user)
      administration.promote(PeerID(team: team.id, device: device.device), for: exchange.user) { [weak self] result in
        exchange.failing { () throws(Reason) in
          if case .failure(.peerTimedOut) = result {
            let message =
              "The other machine didn't confirm that it has the team's key. Try again, and check its version of Baton."
            return exchange.fail(.peerTimedOut, message: message)
          }
          try result.get()
          let promoted = try self?.membership.devices(of: team).first { $0.device == device.device }
          exchange.reply(PromoteDevice.Reply(device: ControlDevice(promoted ?? device)))
        }
      }
    }
  }

  /// Finds the one device that a user means.
  ///
  /// - Parameter isOwn: What to say if it is this machine.
  /// - Returns: Nil if the exchange has ended, because more than a reason had to be said.
  /// - Throws: `notAdministrator`, `peerNotFound`; `nameTaken` if only the name fits, and it belongs to another device.
  func admitted(
    _ text: String,
    to team: Team,
    _ exchange: AnyExchange,
    isOwn: String
  ) throws(Reason) -> AdmittedDevice? {
    let found = AdmittedDevice.search(text, in: try membership.devices(of: team))
    guard let device = found.first else {
      guard team.device.text == text.uppercased() || settings.deviceName == text else { throw .peerNotFound }
      exchange.fail(.notPermitted, message: isOwn)
      return nil
    }
    guard found.count == 1 else {
      exchange.fail(.deviceAmbiguous, message: Self.choice(found))
      return nil
    }
    let peer = PeerID(team: team.id, device: device.device)
    guard
      device.hasDigits(text) || peers.names.label(of: peer, saying: device.name).utf8.elementsEqual(device.name.utf8)
    else { throw .nameTaken }
    return device
  }

  /// One sentence that lists the devices that fit.
  private static func choice(_ devices: [AdmittedDevice]) -> String {
    let list = devices.map { "\"\($0.name)\" (ID \($0.device))" }.joined(separator: ", ")
    return "More than one machine in the team matches. Specify one by its ID: \(list)."
  }
}
