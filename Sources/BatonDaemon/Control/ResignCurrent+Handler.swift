import Continuation
import ControlInterface
import JSONCoding
import VarlinkService

extension ControlServer {
  func resignCurrent(_ parameters: ResignCurrent.Parameters, _ exchange: Exchange<ResignCurrent>) {
    var client = Client(user: exchange.user) { exchange.fail($0) }
    client.succeed = { exchange.reply(ResignCurrent.Reply()) }
    shell.handle(.resigned(parameters.id, client: shell.add(client), user: exchange.user))
  }
}
