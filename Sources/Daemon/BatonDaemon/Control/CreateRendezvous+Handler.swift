// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func createRendezvous(_ parameters: CreateRendezvous.Parameters, _ exchange: Exchange<CreateRendezvous>) {
    exchange.answering { [self] () async throws(Reason) in
      let servers = try Self.addresses(parameters.servers, defaultPort: ServerAddress.defaultPort)
      let relays = try Self.addresses(parameters.relays, defaultPort: RelayAddress.defaultPort)
      let (user, replaces) = (exchange.user, parameters.replace == true)
      let made: RendezvousServers
      if let organization = parameters.organization {
        made = try await membership.changeRendezvous(for: user) { store, now throws(Reason) in
          try store.createRendezvousOperator(
            organization,
            servers,
            relays: relays,
            owner: user,
            replaces: replaces,
            now: now
          )
        }
      } else {
        let team = try membership.team(parameters.team, of: exchange.user)
        made = try await membership.changeRendezvous(for: user) { store, now throws(Reason) in
          try store.createRendezvous(servers, relays: relays, of: team.id, replaces: replaces, now: now)
        }
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
