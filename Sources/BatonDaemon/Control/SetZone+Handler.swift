import Activity
import ControlInterface
import PeerProtocol
import Rendezvous
import Teams
import VarlinkService

extension ControlServer {
  func setZone(_ parameters: SetZone.Parameters, _ exchange: Exchange<SetZone>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let zone = try parameters.zone.map { given throws(Reason) in try Self.zone(given) }
      try membership.store.setZone(zone, of: team.id, now: Membership.now)
      membership.host.rendezvousChanged(of: team.id)
      exchange.reply(RendezvousReply(rendezvous: describe(try membership.store.team(team.id))))
    }
  }

  nonisolated static func zone(_ given: SetZone.Zone) throws(Reason) -> RendezvousAccess.Zone {
    guard let server = ServerAddress(given.server, defaultPort: 53), let key = Base64.decode(given.key),
      RendezvousAccess.ZoneKey.lengths.contains(key.count), DNSName(given.name) != nil, DNSName(given.keyName) != nil
    else { throw .addressInvalid }
    return RendezvousAccess.Zone(name: given.name, server: server.description, keyName: given.keyName, key: key)
  }
}
