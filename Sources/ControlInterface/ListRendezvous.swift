import JSONCoding
import Varlink

/// Lists where the devices of the user's teams meet if they share no network.
package enum ListRendezvous: Method {
  package static let name = "io.baton.Handoff.ListRendezvous"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let teams: [ControlRendezvous]

    package init(teams: [ControlRendezvous]) { self.teams = teams }
  }
}
