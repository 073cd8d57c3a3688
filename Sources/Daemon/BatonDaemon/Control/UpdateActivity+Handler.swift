// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import JSONCoding
import VarlinkServer

extension ControlServer {
  func updateActivity(_ parameters: UpdateActivity.Parameters, _ exchange: Exchange<UpdateActivity>) {
    exchange.failing { () throws(Reason) in
      guard let id = parameters.activity.id else { throw .activityNotFound }
      let (record, omitted) = try parameters.activity.outward(settings.sharedFolders).checked(newID: id)
      let call = Client.Call.change { exchange.reply(UpdateActivity.Reply(omitted: omitted)) }
      let client = Client(user: exchange.user, call) { exchange.fail($0) }
      shell.handle(.updated(record, client: shell.add(client), user: exchange.user))
    }
  }
}
