import Activity
import Continuation
import ControlInterface
import VarlinkServer

extension ControlServer {
  func continueActivity(_ parameters: Continue.Parameters, _ exchange: Exchange<Continue>) {
    var client = Client(user: exchange.user) { exchange.fail($0) }
    let folders = host.sharedFolders
    client.deliver = { exchange.reply(Continue.Reply(activity: ControlActivity($0).inward(folders), device: $1)) }
    let id = shell.add(client)
    exchange.onClosed = { [weak shell] in shell?.remove(id) }
    shell.handle(.continueRequested(parameters.id, client: id, user: exchange.user))
  }
}
