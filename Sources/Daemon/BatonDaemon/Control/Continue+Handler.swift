// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import VarlinkServer

extension ControlServer {
  func continueActivity(_ parameters: Continue.Parameters, _ exchange: Exchange<Continue>) {
    let offer = shell.offer(parameters.id, from: parameters.deviceID, for: exchange.user)
    if let shown = parameters.shown, let offer, !shown.isOf(offer.activity) { return exchange.fail(.activityChanged) }
    let wanted = Client.WantedActivity(
      activity: parameters.id,
      peer: offer?.peer,
      device: offer?.deviceName ?? ""
    )
    let (folders, own, names) = (settings.sharedFolders, settings.deviceName, peers.names)
    let call = Client.Call.continuation(wanted) { [launching] record, device, origin in
      let name = device ?? (origin == .local ? own : names.label(of: origin.device))
      let activity = ControlActivity(record).inward(folders)
      exchange.reply(Continue.Reply(activity: activity, device: name, origin: origin))
      launching.handle(.continued(record.id, user: exchange.user))
    }
    let id = shell.add(Client(user: exchange.user, call) { exchange.fail($0) })
    exchange.onClosed = { [weak shell] in shell?.remove(id) }
    shell.handle(.continueRequested(parameters.id, from: parameters.deviceID, client: id, user: exchange.user))
  }
}
