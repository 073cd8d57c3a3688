import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func awaitStream(_ parameters: AwaitStream.Parameters, _ exchange: Exchange<AwaitStream>) {
    let forget = shell.results.wait(for: parameters.stream, user: exchange.user) {
      exchange.reply(AwaitStream.Reply(reason: $0))
    }
    guard let forget else { return exchange.fail(.streamNotFound) }
    if !exchange.isFinished { exchange.onClosed = forget }
  }
}
