import Activity
import JSONCoding
import Varlink

/// Returns what the daemon is and does, as far as the calling user may see it.
package enum GetStatus: Method {
  package static let name = "io.baton.Handoff.GetStatus"
  package typealias Parameters = Nothing

  package enum DiscoveryState: String, CaseIterable, Codable, Sendable {
    case running
    /// Avahi finds other machines, and lets no program announce this one.
    case muted
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
    @Coded<Count> package var sessions: Int
    /// The number of open continuation streams.
    @Coded<Count> package var streams: Int
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
  }
}
