import Activity
import JSONCoding
import Varlink

/// Opens a stream to the app whose activity the user continued. Called with `upgrade`. After the reply, the connection
/// carries the stream's bytes.
package enum OpenStream: Method {
  package static let name = "io.baton.Handoff.OpenStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package let activity: ActivityID
    /// Whether the program calls `AwaitStream` next. If it ends before that, the stream counts as broken.
    package let awaits: Bool

    package init(activity: ActivityID, awaits: Bool = false) { (self.activity, self.awaits) = (activity, awaits) }

    package init(_ members: inout Members) throws(InvalidParameter) {
      activity = try members.activityID("activity")
      awaits = try members.optional("awaits", \.bool) ?? false
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["activity": .string(activity.description)]
      if awaits { members["awaits"] = .bool(true) }
      return members
    }
  }

  package typealias Reply = StreamReply
}
