// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import Handoff
import VarlinkServer

extension ControlServer {
  func getStatus(_ parameters: GetStatus.Parameters, _ exchange: Exchange<GetStatus>) {
    let current = shell.currentActivity(of: exchange.user)
    exchange.reply(
      GetStatus.Reply(
        device: settings.deviceName,
        version: Version.current,
        port: port.number,
        configuredPort: settings.configuration.port,
        interfaces: InterfaceReport.current(settings.configuration.interfaces).filter { $0.isUsed && !$0.isLoopback }
          .map(\.name),
        discovery: announcer.state,
        teams: membership.teams(of: exchange.user).map(ControlTeam.init),
        current: current.map { ControlActivity($0).inward(settings.sharedFolders) },
        withheld: current.flatMap { _ in shell.withholding(from: exchange.user) },
        sessions: peers.connections.count { shell.mayUse($0.peer.team, exchange.user) },
        streams: shell.results.runningCount(of: exchange.user),
        counters: shell.counters(for: exchange.user)
      )
    )
  }
}
