import JSONCoding
import Varlink

/// Accepts the stream of a `streamRequested` event. Called with `upgrade`, like `OpenStream`.
package enum AcceptStream: Method {
  package static let name = "io.baton.Handoff.AcceptStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    /// The stream's name from the event.
    package let stream: String
    /// See `OpenStream`.
    @Coded<FalseByDefault> package var awaits: Bool

    package init(stream: String, awaits: Bool = false) {
      self.stream = stream
      self.awaits = awaits
    }
  }

  package typealias Reply = StreamReply
}
