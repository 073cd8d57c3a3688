// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import VarlinkServer

extension ControlServer {
  func getMetrics(_ parameters: GetMetrics.Parameters, _ exchange: Exchange<GetMetrics>) {
    var exposition = Exposition()
    exposition.add(version: Version.current)
    exposition.add(
      gauge: "discoveryRunning",
      announcer.state == .running ? 1 : 0,
      help: "Whether batond is connected to Avahi."
    )
    exposition.add(
      gauge: "sessions",
      peers.connections.count { shell.mayUse($0.peer.team, exchange.user) },
      help: "Sessions with other machines in the caller's teams."
    )
    exposition.add(
      gauge: "streams",
      shell.results.runningCount(of: exchange.user),
      help: "The caller's open continuation streams."
    )
    exposition.add(shell.counters(for: exchange.user))
    exchange.reply(GetMetrics.Reply(text: exposition.text))
  }
}
