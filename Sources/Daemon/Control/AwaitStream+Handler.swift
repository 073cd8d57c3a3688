import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func awaitStream(_ parameters: AwaitStream.Parameters, _ exchange: Exchange<AwaitStream>) {
    let isKnown = shell.results.wait(for: parameters.stream) { exchange.reply(AwaitStream.Reply(reason: $0)) }
    if !isKnown { exchange.fail(.streamNotFound) }
  }
}
