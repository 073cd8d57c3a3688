import Activity
import Continuation
import ControlInterface
import JSONCoding
import VarlinkService

extension ControlServer {
  func updateActivity(_ parameters: UpdateActivity.Parameters, _ exchange: Exchange<UpdateActivity>) {
    exchange.failing { () throws(Reason) in
      guard let id = parameters.activity.id else { throw .activityNotFound }
      let record = try parameters.activity.outward(host.sharedFolders).record(newID: id)
      var client = Client(user: exchange.user) { exchange.fail($0) }
      client.succeed = { exchange.reply(UpdateActivity.Reply()) }
      shell.handle(.updated(record, client: shell.add(client), user: exchange.user))
    }
  }
}
