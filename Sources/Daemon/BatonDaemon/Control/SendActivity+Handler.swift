// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func sendActivity(_ parameters: SendActivity.Parameters, _ exchange: Exchange<SendActivity>) {
    exchange.failing { () throws(Reason) in
      let (record, omitted) = try parameters.activity.outward(settings.sharedFolders).checked(newID: .random())
      let recipient = try recipient(parameters.deviceID, in: parameters.team, of: exchange.user)
      let call = Client.Call.activity { exchange.replyContinuing(SendActivity.Reply(id: record.id, $0, omitted)) }
      let id = shell.add(Client(user: exchange.user, call) { exchange.fail($0) })
      exchange.onClosed = { [weak shell] in shell?.remove(id) }
      shell.handle(.sent(record, to: recipient, client: id, user: exchange.user))
    }
  }

  /// Finds a device of the user's teams that this machine has met or found, or that was admitted.
  ///
  /// - Throws: `peerNotFound`; `certificateRevoked` if the device was removed; `teamNotFound`, `teamAmbiguous`.
  private func recipient(_ device: DeviceID, in team: String?, of user: UserID) throws(Reason) -> PeerID {
    let teams =
      try team.map { text throws(Reason) in [try membership.team(text, of: user)] }
      ?? membership.teams(of: user)
    let found = teams.filter { team in
      guard team.device != device else { return false }
      if peers.knows(PeerID(team: team.id, device: device)) { return true }
      let admitted = (try? membership.devices(of: team)) ?? []
      return admitted.contains { $0.device == device }
    }.map { PeerID(team: $0.id, device: device) }
    let present = found.filter { !membership.isRevoked($0) }
    guard let recipient = present.first else { throw found.isEmpty ? .peerNotFound : .certificateRevoked }
    guard present.count == 1 else { throw .teamAmbiguous }
    return recipient
  }
}

extension SendActivity.Reply {
  fileprivate init(id: ActivityID, _ event: ActivityEvent, _ omitted: [String]?) {
    switch event {
    case .current, .sent: self.init(id: id, event: .sent, omitted: omitted)
    case .resigned(let reason): self.init(id: id, event: .resigned, reason: reason)
    case .willSave: self.init(id: id, event: .willSave)
    case .continued(let device): self.init(id: id, event: .continued, device: device)
    case .streamRequested(let token, let device, let team):
      self.init(id: id, event: .streamRequested, device: device, stream: token, team: team.description)
    }
  }
}
