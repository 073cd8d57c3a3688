import Activity
import ControlInterface
import EventLoop
import Rendezvous
import Teams
import VarlinkService

extension ControlServer {
  func authorizeRendezvous(_ parameters: AuthorizeRendezvous.Parameters, _ exchange: Exchange<AuthorizeRendezvous>) {
    exchange.failing { () throws(Reason) in
      let (answer, token, own, team) = try membership.store.authorizeRendezvous(
        parameters.request,
        as: parameters.organization,
        by: exchange.user,
        now: Membership.now
      )
      let reply: @Loop (String?) -> Void = { problem in
        exchange.reply(AuthorizeRendezvous.Reply(approval: answer, team: team, problem: problem))
      }
      guard let server = own.servers.lazy.compactMap({ ServerAddress($0) }).first else { return reply("there is none") }
      let id = ObjectIdentifier(exchange)
      publishers[id] = AccountPublisher(token, to: server, for: exchange.user, pins: own.pins, operator: own.keys) {
        [weak self] result in
        self?.publishers[id] = nil
        if case .failure(let failure) = result { reply(failure.description) } else { reply(nil) }
      }
    }
  }
}
