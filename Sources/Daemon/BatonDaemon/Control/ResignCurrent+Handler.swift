// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Handoff
import JSONCoding
import VarlinkServer

extension ControlServer {
  func resignCurrent(_ parameters: ResignCurrent.Parameters, _ exchange: Exchange<ResignCurrent>) {
    let call = Client.Call.change { exchange.reply(ResignCurrent.Reply()) }
    let client = Client(user: exchange.user, call) { exchange.fail($0) }
    shell.handle(.resigned(parameters.id, client: shell.add(client), user: exchange.user))
  }
}
