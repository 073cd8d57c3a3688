import ControlInterface
import Daemon
import EventLoop
import Testing

/// Runs `body` with daemons that share a network, then stops them in the reverse order, and checks that nothing of them
/// stays: no descriptor, no object.
///
/// For a process that runs nothing else (an exit test), as the loop and the descriptors are the process's.
///
/// - Parameters:
///   - configuration: Texts of configuration files, by the daemon's name.
///   - logins: Login managers, by the daemon's name.
package func withDaemons(
  _ names: String...,
  network: Bool = true,
  configuration: [String: String] = [:],
  logins: [String: FakeLogin] = [:],
  _ body: ([DaemonFixture], FakeNetwork) throws -> Void
) throws {
  do {
    try run(names, network, configuration, logins, body)
  } catch {
    // An error that leaves an exit test says nothing of itself.
    Issue.record(error)
  }
}

private func run(
  _ names: [String],
  _ network: Bool,
  _ configuration: [String: String],
  _ logins: [String: FakeLogin],
  _ body: ([DaemonFixture], FakeNetwork) throws -> Void
) throws {
  try Descriptors.settle()
  let before = Descriptors.list()
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
  do {
    try waitUntil("Every descriptor is closed") {
      // Connections that were ended wait a moment for the other side.
      try onLoop { (Loop.clock as? ManualClock)?.advance(by: .milliseconds(20)) }
      return Descriptors.count <= before.count
    }
  } catch {
    let left = Descriptors.list().filter { before[$0.key] == nil }.map { descriptor, name in
      let addresses = [Sockets.localAddress(of: descriptor), Sockets.peerAddress(of: descriptor)]
      return "\(descriptor): \(name) \(addresses.compactMap { $0?.description })"
    }
    throw TestFailure("Descriptors stayed open: \(left)")
  }
}

/// Stops a daemon that nobody waits for any more: not by a clock that stands still either.
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

/// One daemon without discovery, which has a team.
package func withTeam(_ body: (DaemonFixture) throws -> Void) throws {
  try withDaemons("alpha", network: false) { fixtures, _ in
    _ = try fixtures[0].createTeam()
    try body(fixtures[0])
  }
}

/// One daemon without discovery, and a session with a member of its team, whom the test plays.
package func withMember(_ body: (DaemonFixture, RawPeer) throws -> Void) throws {
  try withTeam { daemon in
    let peer = try RawPeer(try RawPeer.admitted(by: daemon), port: daemon.port)
    try peer.becomeReady()
    try body(daemon, peer)
  }
}

/// Two daemons, the second of which has joined the first's team, with a session between them.
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

/// Makes a team on the first of the daemons that the others join.
package func makeTeam(_ daemons: [DaemonFixture]) throws {
  guard let first = daemons.first else { return }
  _ = try first.createTeam()
  for other in daemons.dropFirst() { _ = try other.join(try first.invite(), at: first) }
}

/// Makes their team, and waits until each has a session with each.
package func connect(_ daemons: [DaemonFixture]) throws {
  try makeTeam(daemons)
  for daemon in daemons { try daemon.waitForSessions(daemons.count - 1) }
}

private struct WeakDaemon: Sendable {
  weak let daemon: Daemon?
}
