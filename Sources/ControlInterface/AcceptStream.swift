import JSON
import Varlink

/// Accepts the stream of a `streamRequested` event. Called with `upgrade`, as `OpenStream`.
package enum AcceptStream: Method {
  package static let name = "io.baton.Handoff.AcceptStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    /// From the event.
    package let stream: String

    package init(stream: String) { self.stream = stream }

    package init(_ members: inout Members) throws(InvalidParameter) {
      stream = try members.required("stream", \.string)
    }

    package var members: [String: JSON] { ["stream": .string(stream)] }
  }

  package typealias Reply = StreamReply
}
