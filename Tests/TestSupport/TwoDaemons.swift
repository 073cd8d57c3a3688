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
      for fixture in fixtures.reversed() { try? fixture.stop() }
      throw error
    }
    for fixture in fixtures.reversed() where try onLoop({ !fixture.daemon.isStopping }) { try fixture.stop() }
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

/// Two daemons, the second of which has joined the first's team, with a session between them.
package func withTwoDaemons(
  configuration: [String: String] = [:],
  _ body: (DaemonFixture, DaemonFixture) throws -> Void
) throws {
  try withDaemons("alpha", "beta", configuration: configuration) { fixtures, _ in
    let (a, b) = (fixtures[0], fixtures[1])
    try connect(a, b)
    try body(a, b)
  }
}

/// Makes a team on `a` that `b` joins, and waits for their session.
package func connect(_ a: DaemonFixture, _ b: DaemonFixture) throws {
  _ = try a.createTeam()
  _ = try b.join(try a.invite(), at: a)
  try a.waitForSessions(1)
  try b.waitForSessions(1)
}

private struct WeakDaemon: Sendable {
  weak let daemon: Daemon?
}
