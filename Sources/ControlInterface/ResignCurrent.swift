import Activity
import JSONCoding
import Varlink

/// Ends the offer of an activity. The activity, and streams of its continuation, remain.
package enum ResignCurrent: Method {
  package static let name = "io.baton.Handoff.ResignCurrent"

  package struct Parameters: Structure {
    package let id: ActivityID

    package init(id: ActivityID) { self.id = id }
  }

  package typealias Reply = Nothing
}
