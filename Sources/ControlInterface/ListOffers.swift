import JSONCoding
import Varlink

/// Lists what the other machines offer. With `more`, it lists the current state, and then the whole state again at each
/// change.
package enum ListOffers: Method {
  package static let name = "io.baton.Handoff.ListOffers"

  package struct Parameters: Structure {
    /// Only offers of this type. Nil for all types.
    package let activityType: String?
    /// Only offers of the team with this ID. Nil for all teams of the user.
    package let team: String?

    package init(activityType: String? = nil, team: String? = nil) {
      self.activityType = activityType
      self.team = team
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      activityType = try members.optional("activityType", \.string)
      team = try members.optional("team", \.string)
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = [:]
      members["activityType"] = activityType.map(JSON.string)
      members["team"] = team.map(JSON.string)
      return members
    }
  }

  package struct Reply: Structure {
    package let offers: [ControlOffer]

    package init(offers: [ControlOffer]) { self.offers = offers }

    package init(_ members: inout Members) throws(InvalidParameter) { offers = try members.structures("offers") }

    package var members: [String: JSON] { ["offers": .array(offers.map(\.json))] }
  }
}
