import Activity
import ControlInterface
import VarlinkService

extension ControlServer {
  func requestMembership(_ parameters: RequestMembership.Parameters, _ exchange: Exchange<RequestMembership>) {
    exchange.failing { () throws(Reason) in
      exchange.reply(RequestMembership.Reply(request: try membership.request(owner: exchange.user)))
    }
  }
}
