// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import VarlinkServer

extension ControlServer {
  func registerIndex(_ parameters: RegisterIndex.Parameters, _ exchange: Exchange<RegisterIndex>) {
    exchange.replyContinuing(RegisterIndex.Reply(event: .registered))
    if !exchange.isFinished { index.register(exchange) }
  }

  func sendIndexMessage(_ parameters: SendIndexMessage.Parameters, _ exchange: Exchange<SendIndexMessage>) {
    exchange.failing { () throws(Reason) in
      try index.send(parameters.message, to: parameters.deviceID, of: parameters.team, by: exchange.user)
      exchange.reply(SendIndexMessage.Reply())
    }
  }
}
