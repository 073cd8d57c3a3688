// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Localization
import Varlink
import VarlinkServer

/// The interface `io.baton.Ports`. Its handlers only translate.
@Loop
final class PortServer: PortsMethods {
  private let service: PortService

  init(_ service: PortService, on server: VarlinkServer) {
    self.service = service
    server.add(self)
  }

  func list(_ parameters: Nothing, _ exchange: Exchange<ListPorts>) { service.list { exchange.reply($0) } }

  func allow(_ parameters: AllowPort.Parameters, _ exchange: Exchange<AllowPort>) {
    decide(parameters.port, parameters.team, exchange) { [service] entry in
      service.allow([entry]) { exchange.answer($0, AllowPort.Reply(team: entry.team)) }
    }
  }

  func refuse(_ parameters: RefusePort.Parameters, _ exchange: Exchange<RefusePort>) {
    decide(parameters.port, parameters.team, exchange) { [service] entry in
      service.refuse([entry]) { exchange.answer($0, RefusePort.Reply(team: entry.team)) }
    }
  }

  func forget(_ parameters: ForgetPort.Parameters, _ exchange: Exchange<ForgetPort>) {
    guard parameters.port > 0 else { return exchange.fail(.invalidParameter("port")) }
    guard parameters.team != nil else {
      return service.forget(parameters.port, team: nil) { exchange.answer($0, Nothing()) }
    }
    decide(parameters.port, parameters.team, exchange) { [service] entry in
      service.forget(entry.port, team: entry.team) { exchange.answer($0, Nothing()) }
    }
  }

  private func decide(
    _ port: UInt16,
    _ team: String?,
    _ exchange: AnyExchange,
    _ decision: @escaping @Loop (PortDecisions.Entry) -> Void
  ) {
    guard port > 0 else { return exchange.fail(.invalidParameter("port")) }
    service.findTeam(team, for: port) { result in
      switch result {
      case .failure(let failure): exchange.refuse(failure)
      case .success(let team): decision(PortDecisions.Entry(port: port, team: team))
      }
    }
  }

  func serve(_ parameters: ServePage.Parameters, _ exchange: Exchange<ServePage>) {
    guard let page = LocalPageActivity(json: parameters.userInfo) else {
      return exchange.fail(.invalidParameter("userInfo"))
    }
    do throws(ControlFailure) {
      try service.serve(page, parameters.stream, team: parameters.team, device: parameters.device)
      exchange.reply(Nothing())
    } catch { exchange.refuse(error) }
  }
}

extension AnyExchange {
  /// Ends the exchange with the error of the interface.
  fileprivate func refuse(_ failure: ControlFailure) { fail("io.baton.Ports.Failed", failure.members) }
}

extension Exchange {
  /// - Parameter failure: Nil if it has succeeded.
  fileprivate func answer(_ failure: ControlFailure?, _ reply: M.Reply) {
    if let failure { refuse(failure) } else { self.reply(reply) }
  }
}
