// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Teams
import VarlinkServer

extension ControlServer {
  func requestRendezvous(_ parameters: RequestRendezvous.Parameters, _ exchange: Exchange<RequestRendezvous>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let replaces = parameters.replace == true
      let request = try await membership.changeRendezvous(for: exchange.user) { store, now throws(Reason) in
        try store.requestRendezvous(of: team.id, replaces: replaces, now: now)
      }
      membership.host.rendezvousChanged()
      exchange.reply(RequestRendezvous.Reply(request: request))
    }
  }

  func importRendezvous(_ parameters: ImportRendezvous.Parameters, _ exchange: Exchange<ImportRendezvous>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      try await membership.changeRendezvous(for: exchange.user) { store, now throws(Reason) in
        try store.importRendezvous(parameters.approval, of: team.id, now: now)
      }
      membership.host.rendezvousChanged(of: team.id)
      exchange.reply(RendezvousReply(rendezvous: describe(try membership.store.team(team.id))))
    }
  }

  func removeRendezvous(_ parameters: RemoveRendezvous.Parameters, _ exchange: Exchange<RemoveRendezvous>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      try await membership.changeRendezvous(for: exchange.user) { store, now throws(Reason) in
        try store.removeRendezvous(of: team.id, now: now)
      }
      membership.host.rendezvousChanged(of: team.id)
      exchange.reply(RemoveRendezvous.Reply())
    }
  }
}
