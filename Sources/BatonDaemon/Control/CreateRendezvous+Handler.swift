import Activity
import ControlInterface
import Rendezvous
import Teams
import VarlinkService

extension ControlServer {
  func createRendezvous(_ parameters: CreateRendezvous.Parameters, _ exchange: Exchange<CreateRendezvous>) {
    exchange.failing { () throws(Reason) in
      let servers = try Self.addresses(parameters.servers, defaultPort: ServerAddress.defaultPort)
      let relays = try Self.addresses(parameters.relays, defaultPort: RelayAddress.defaultPort)
      let made: RendezvousServers
      if let organization = parameters.organization {
        made = try membership.store.createRendezvousOperator(
          organization,
          servers,
          relays: relays,
          owner: exchange.user,
          replaces: parameters.replace == true,
          now: Membership.now
        )
      } else {
        let team = try membership.team(parameters.team, of: exchange.user)
        made = try membership.store.createRendezvous(
          servers,
          relays: relays,
          of: team.id,
          replaces: parameters.replace == true,
          now: Membership.now
        )
        membership.host.rendezvousChanged(of: team.id)
      }
      let files = made.files.map { CreateRendezvous.File(name: $0.name, content: $0.content) }
      exchange.reply(CreateRendezvous.Reply(files: files))
    }
  }

  private static func addresses(_ texts: [String], defaultPort: UInt16) throws(Reason) -> [ServerAddress] {
    let addresses = texts.compactMap { ServerAddress($0, defaultPort: defaultPort) }
    guard addresses.count == texts.count else { throw .addressInvalid }
    return addresses
  }
}
