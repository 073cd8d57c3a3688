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
    @Coded<FalseByDefault> package var awaits: Bool

    package init(activity: ActivityID, awaits: Bool = false) {
      self.activity = activity
      self.awaits = awaits
    }
  }

  package typealias Reply = StreamReply
}
