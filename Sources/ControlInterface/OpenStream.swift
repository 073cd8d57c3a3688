import Activity
import JSON
import Varlink

/// Opens a stream to the app whose activity the user continued. Called with `upgrade`: after the reply the connection is
/// the stream's bytes.
package enum OpenStream: Method {
  package static let name = "io.baton.Handoff.OpenStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package let activity: ActivityID

    package init(activity: ActivityID) { self.activity = activity }

    package init(_ members: inout Members) throws(InvalidParameter) { activity = try members.activityID("activity") }

    package var members: [String: JSON] { ["activity": .string(activity.description)] }
  }

  package typealias Reply = StreamReply
}
