import Activity
import JSONCoding
import Varlink

/// Returns what the daemon is and does, as far as the calling user may see it.
package enum GetStatus: Method {
  package static let name = "io.baton.Handoff.GetStatus"
  package typealias Parameters = Nothing

  package enum DiscoveryState: String, CaseIterable, Sendable {
    case running
    /// Avahi is not connected. The daemon keeps trying.
    case connecting
    /// Discovery is disabled in the configuration.
    case disabled
  }

  package struct Reply: Structure {
    /// The name of this machine.
    package let device: String
    package let version: String
    /// The port at which peers reach this machine.
    package let port: UInt16
    package let discovery: DiscoveryState
    /// The caller's teams.
    package let teams: [ControlTeam]
    /// The caller's current activity.
    package let current: ControlActivity?
    /// Why the current activity is not offered at the moment. Nil if it is.
    package let withheld: Reason?
    /// The number of connected peers.
    package let sessions: Int
    /// The number of open continuation streams.
    package let streams: Int
    /// The counters of the whole machine.
    package let counters: Counters

    package init(
      device: String,
      version: String,
      port: UInt16,
      discovery: DiscoveryState,
      teams: [ControlTeam],
      current: ControlActivity?,
      withheld: Reason? = nil,
      sessions: Int,
      streams: Int,
      counters: Counters = Counters()
    ) {
      self.device = device
      self.version = version
      self.port = port
      self.discovery = discovery
      self.teams = teams
      self.current = current
      self.withheld = withheld
      self.sessions = sessions
      self.streams = streams
      self.counters = counters
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      device = try members.required("device", \.string)
      version = try members.required("version", \.string)
      port = try members.count("port")
      discovery = try members.choice("discovery")
      teams = try members.structures("teams")
      current = try members.optional("current") { ControlActivity(json: $0) }
      withheld = try members.reason("withheld")
      sessions = try members.count("sessions")
      streams = try members.count("streams")
      counters = try members.structure("counters")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = [
        "device": .string(device), "version": .string(version), "port": .integer(Int64(port)),
        "discovery": .string(discovery.rawValue), "teams": .array(teams.map(\.json)),
        "sessions": .integer(Int64(sessions)), "streams": .integer(Int64(streams)), "counters": counters.json,
      ]
      members["current"] = current?.json
      members["withheld"] = withheld.map { .string($0.rawValue) }
      return members
    }
  }
}
