import Activity
import JSON
import Varlink

/// Lets the app that registered an offer's type continue it.
package enum OpenOffer: Method {
  package static let name = "io.baton.Handoff.OpenOffer"

  package struct Parameters: Structure {
    package let id: ActivityID

    package init(id: ActivityID) { self.id = id }

    package init(_ members: inout Members) throws(InvalidParameter) { id = try members.activityID("id") }

    package var members: [String: JSON] { ["id": .string(id.description)] }
  }

  package typealias Reply = Nothing
}
