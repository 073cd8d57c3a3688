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
  }

  package struct Reply: Structure {
    package let offers: [ControlOffer]

    package init(offers: [ControlOffer]) { self.offers = offers }
  }
}
