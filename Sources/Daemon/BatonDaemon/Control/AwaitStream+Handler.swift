// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func awaitStream(_ parameters: AwaitStream.Parameters, _ exchange: Exchange<AwaitStream>) {
    let waiter = StreamResults.Waiter {
      exchange.hasClientLeft
    } tell: {
      exchange.reply(AwaitStream.Reply(reason: $0))
    }
    let leave = shell.results.wait(for: parameters.stream, user: exchange.user, waiter)
    guard let leave else { return exchange.fail(.streamNotFound) }
    if !exchange.isFinished { exchange.onClosed = leave }
  }
}
