import Activity
import JSONCoding
import Varlink

/// Keeps the addresses of a team's devices in a DNS zone, sealed.
package enum SetZone: Method {
  package static let name = "io.baton.Handoff.SetZone"

  package struct Zone: Structure {
    /// The name of the zone, such as `home.example.org`.
    package let name: String
    /// Its primary server: `HOST` or `HOST:PORT`.
    package let server: String
    /// The name of the key for TSIG, and the key itself in base 64, for HMAC-SHA256.
    package let keyName: String
    package let key: String

    package init(name: String, server: String, keyName: String, key: String) {
      (self.name, self.server, self.keyName, self.key) = (name, server, keyName, key)
    }
  }

  package struct Parameters: Structure {
    /// Nil for no zone.
    package let zone: Zone?
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(zone: Zone?, team: String? = nil) { (self.zone, self.team) = (zone, team) }
  }

  package typealias Reply = RendezvousReply
}
