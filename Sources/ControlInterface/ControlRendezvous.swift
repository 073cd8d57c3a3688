import Activity
import JSONCoding
import Varlink

/// The type `Rendezvous`: where the devices of a team meet if they share no network.
package struct ControlRendezvous: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    /// A server has accepted this machine.
    case ready
    case connecting
    /// The connection has failed, and is made again.
    case waiting
    /// This machine connects to no server: there is none, or the configuration says so.
    case off
  }

  /// The Team ID as people see it, and the team's name.
  package let team: String
  package let name: String
  /// NATS servers, `HOST:PORT`, and relays, `relay://HOST:PORT/?id=ID`.
  package let servers: [String]
  package let relays: [String]
  /// The DNS zone that holds addresses.
  package let zone: String?
  package let state: State
  /// The server to which this machine is, or was, connected.
  package let server: String?
  /// Why the connection has failed, for people.
  package let problem: String?
  /// How many other devices of the team are there.
  package let devices: Int64
  /// When what lets this machine in ends: seconds since 1970-01-01 00:00:00 UTC.
  package let expires: Double?
  /// Whether this machine can make it for other devices, and whether the team runs the servers itself.
  package let isAdministrator: Bool
  package let runsServers: Bool

  package init(
    team: String,
    name: String,
    servers: [String],
    relays: [String],
    zone: String?,
    state: State,
    server: String?,
    problem: String?,
    devices: Int64,
    expires: Double?,
    isAdministrator: Bool,
    runsServers: Bool
  ) {
    (self.team, self.name, self.servers, self.relays, self.zone) = (team, name, servers, relays, zone)
    (self.state, self.server, self.problem, self.devices) = (state, server, problem, devices)
    (self.expires, self.isAdministrator, self.runsServers) = (expires, isAdministrator, runsServers)
  }
}
