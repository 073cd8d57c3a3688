import Activity
import Continuation
import ControlInterface
import VarlinkService

extension ControlServer {
  func continueActivity(_ parameters: Continue.Parameters, _ exchange: Exchange<Continue>) {
    var client = Client(user: exchange.user) { exchange.fail($0) }
    let folders = host.sharedFolders
    let launching = launching
    client.deliver = { record, device in
      exchange.reply(Continue.Reply(activity: ControlActivity(record).inward(folders), device: device))
      launching.handle(.continued(record.id, user: exchange.user))
    }
    let offer = shell.offer(parameters.id, from: parameters.deviceID, for: exchange.user)
    client.continuation = Client.Continuation(
      activity: parameters.id,
      peer: offer?.peer,
      device: offer?.deviceName ?? ""
    )
    let id = shell.add(client)
    exchange.onClosed = { [weak shell] in shell?.remove(id) }
    shell.handle(.continueRequested(parameters.id, from: parameters.deviceID, client: id, user: exchange.user))
  }
}
