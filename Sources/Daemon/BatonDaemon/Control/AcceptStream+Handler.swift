// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Handoff
import VarlinkServer

extension ControlServer {
  func acceptStream(_ parameters: AcceptStream.Parameters, _ exchange: Exchange<AcceptStream>) {
    let id = shell.add(streamClient(exchange, awaits: parameters.awaits))
    exchange.onClosed = { [weak shell] in shell?.remove(id) }
    shell.handle(.streamAccepted(token: parameters.stream, client: id, user: exchange.user))
  }
}
