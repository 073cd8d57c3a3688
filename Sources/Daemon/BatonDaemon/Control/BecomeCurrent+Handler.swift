// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func becomeCurrent(_ parameters: BecomeCurrent.Parameters, _ exchange: Exchange<BecomeCurrent>) {
    exchange.failing { () throws(Reason) in
      let (record, omitted) = try parameters.activity.outward(settings.sharedFolders).checked(newID: .random())
      let team = try parameters.team.map { text throws(Reason) in try membership.team(text, of: exchange.user).id }
      let call = Client.Call.activity { exchange.replyContinuing(BecomeCurrent.Reply(id: record.id, $0, omitted)) }
      let id = shell.add(Client(user: exchange.user, call) { exchange.fail($0) })
      exchange.onClosed = { [weak shell] in shell?.remove(id) }
      shell.handle(.becameCurrent(record, team: team, client: id, user: exchange.user))
    }
  }
}

extension BecomeCurrent.Reply {
  fileprivate init(id: ActivityID, _ event: ActivityEvent, _ omitted: [String]?) {
    switch event {
    case .current, .sent: self.init(id: id, event: .current, omitted: omitted)
    case .resigned(let reason): self.init(id: id, event: .resigned, reason: reason)
    case .willSave: self.init(id: id, event: .willSave)
    case .continued(let device): self.init(id: id, event: .continued, device: device)
    case .streamRequested(let token, let device, let team):
      self.init(id: id, event: .streamRequested, device: device, stream: token, team: team.description)
    }
  }
}
