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

  func list(_ parameters: Nothing, _ exchange: Exchange<ListPorts>) { exchange.reply(service.list) }

  func allow(_ parameters: AllowPort.Parameters, _ exchange: Exchange<AllowPort>) {
    guard parameters.port > 0 else { return exchange.fail(.invalidParameter("port")) }
    service.findTeam(parameters.team, for: parameters.port) { [service] result in
      switch result {
      case .failure(let failure): exchange.refuse(failure)
      case .success(let team):
        service.allow(AllowedPorts.Entry(port: parameters.port, team: team)) { failure in
          if let failure { exchange.refuse(failure) } else { exchange.reply(AllowPort.Reply(team: team)) }
        }
      }
    }
  }

  func forget(_ parameters: ForgetPort.Parameters, _ exchange: Exchange<ForgetPort>) {
    guard parameters.port > 0 else { return exchange.fail(.invalidParameter("port")) }
    guard let team = parameters.team else {
      return service.forget(parameters.port, team: nil) { exchange.reply(Nothing()) }
    }
    service.findTeam(team, for: parameters.port) { [service] result in
      switch result {
      case .failure(let failure): exchange.refuse(failure)
      case .success(let team): service.forget(parameters.port, team: team) { exchange.reply(Nothing()) }
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
