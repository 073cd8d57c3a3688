import Activity
import JSONCoding
import Varlink

/// Ends the offer of an activity. The activity, and streams of its continuation, remain.
package enum ResignCurrent: Method {
  package static let name = "io.baton.Handoff.ResignCurrent"

  package struct Parameters: Structure {
    package let id: ActivityID

    package init(id: ActivityID) { self.id = id }

    package init(_ members: inout Members) throws(InvalidParameter) { id = try members.activityID("id") }

    package var members: [String: JSON] { ["id": .string(id.description)] }
  }

  package typealias Reply = Nothing
}
