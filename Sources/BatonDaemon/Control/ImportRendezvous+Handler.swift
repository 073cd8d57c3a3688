import Activity
import ControlInterface
import JSONCoding
import Teams
import VarlinkService

extension ControlServer {
  func requestRendezvous(_ parameters: RequestRendezvous.Parameters, _ exchange: Exchange<RequestRendezvous>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let request = try membership.store.requestRendezvous(
        of: team.id,
        replaces: parameters.replace == true,
        now: Membership.now
      )
      membership.host.rendezvousChanged()
      exchange.reply(RequestRendezvous.Reply(request: request))
    }
  }

  func importRendezvous(_ parameters: ImportRendezvous.Parameters, _ exchange: Exchange<ImportRendezvous>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      try membership.store.importRendezvous(parameters.approval, of: team.id, now: Membership.now)
      membership.host.rendezvousChanged(of: team.id)
      exchange.reply(RendezvousReply(rendezvous: describe(try membership.store.team(team.id))))
    }
  }

  func removeRendezvous(_ parameters: RemoveRendezvous.Parameters, _ exchange: Exchange<RemoveRendezvous>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      try membership.store.removeRendezvous(of: team.id, now: Membership.now)
      membership.host.rendezvousChanged(of: team.id)
      exchange.reply(RemoveRendezvous.Reply())
    }
  }
}
