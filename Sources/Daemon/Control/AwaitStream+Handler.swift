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
    let isKnown = shell.results.wait(for: parameters.stream, waiter)
    if !isKnown { exchange.fail(.streamNotFound) }
  }
}
