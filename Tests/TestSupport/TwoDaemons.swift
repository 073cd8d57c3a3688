// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import ControlInterface
import EventLoop

/// Runs `body` with daemons that share a network. Then stops them in reverse order, and checks that they leave no
/// object behind. The trait ``Isolation`` checks that they leave no descriptor and no timer.
///
/// - Parameters:
///   - configuration: The texts of configuration files, by the daemon's name.
///   - logins: The login managers, by the daemon's name.
package func withDaemons(
  _ names: String...,
  network: Bool = true,
  configuration: [String: String] = [:],
  logins: [String: FakeLogin] = [:],
  _ body: ([DaemonFixture], FakeNetwork) throws -> Void
) throws {
  var watched: [WeakDaemon] = []
  do {
    let shared = try FakeNetwork.make()
    var fixtures: [DaemonFixture] = []
    defer { for fixture in fixtures { fixture.removeDirectory() } }
    for name in names {
      let text = configuration[name] ?? ""
      fixtures.append(
        try DaemonFixture(name, network: network ? shared : nil, configuration: text, login: logins[name])
      )
    }
    watched = fixtures.map { WeakDaemon(daemon: $0.daemon) }
    do {
      try body(fixtures, shared)
    } catch {
      for fixture in fixtures.reversed() { try? end(fixture) }
      throw error
    }
    for fixture in fixtures.reversed() where try onLoop({ !fixture.daemon.isStopping }) { try end(fixture) }
  }
  try waitUntil("Stopped daemons are gone") { try onLoop { [watched] in watched.allSatisfy { $0.daemon == nil } } }
}

/// Stops a daemon after the test, even if a manual clock stands still.
private func end(_ fixture: DaemonFixture) throws {
  let stopping = onThread {
    try fixture.stop()
    return true
  }
  try waitUntil("\(fixture.name) stops") {
    try onLoop { (Loop.clock as? ManualClock)?.advance(by: .milliseconds(20)) }
    return stopping.isSet
  }
  _ = try stopping.wait()
}

/// Runs `body` with one daemon that has a team but no discovery.
package func withTeam(_ body: (DaemonFixture) throws -> Void) throws {
  try withDaemons("alpha", network: false) { fixtures, _ in
    _ = try fixtures[0].createTeam()
    try body(fixtures[0])
  }
}

/// Runs `body` with one daemon without discovery, and a session with a member of its team that the test plays.
package func withMember(_ body: (DaemonFixture, RawPeer) throws -> Void) throws {
  try withTeam { daemon in
    let peer = try RawPeer(try RawPeer.admitted(by: daemon), port: daemon.port)
    try peer.becomeReady()
    try body(daemon, peer)
  }
}

/// Runs `body` with two daemons that have a session. The second has joined the first's team.
package func withTwoDaemons(
  configuration: [String: String] = [:],
  _ body: (DaemonFixture, DaemonFixture) throws -> Void
) throws {
  try withDaemons("alpha", "beta", configuration: configuration) { fixtures, _ in
    let (a, b) = (fixtures[0], fixtures[1])
    try connect([a, b])
    try body(a, b)
  }
}

/// Creates a team on the first daemon, and lets the others join it.
package func makeTeam(_ daemons: [DaemonFixture]) throws {
  guard let first = daemons.first else { return }
  _ = try first.createTeam()
  for other in daemons.dropFirst() { _ = try other.join(try first.invite(), at: first) }
}

/// Makes the daemons a team, and waits until each has a session with each of the others.
package func connect(_ daemons: [DaemonFixture]) throws {
  try makeTeam(daemons)
  for daemon in daemons { try daemon.waitForSessions(daemons.count - 1) }
}

private struct WeakDaemon: Sendable {
  weak let daemon: Daemon?
}
