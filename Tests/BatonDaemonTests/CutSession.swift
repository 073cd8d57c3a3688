// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport

@testable import BatonDaemon

/// Cuts every connection of the daemons, and waits until each of them has noticed, which shows as a different session
/// or none. Both may be connected again so soon that nobody sees them without a session.
func cutSessions(of machines: DaemonFixture...) throws {
  let before = try machines.map(sessionBegin)
  for machine in machines { Descriptors.cutConnections(ofPort: machine.port) }
  try waitUntil("The end of the sessions is noticed") {
    try zip(machines, before).allSatisfy { try sessionBegin($0) != $1 }
  }
}

/// Returns the time since which a daemon has had its session; nil without one.
private func sessionBegin(_ machine: DaemonFixture) throws -> ContinuousClock.Instant? {
  try onLoop { machine.daemon.peers.connections.first?.readySince }
}
