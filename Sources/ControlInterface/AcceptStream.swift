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
    package let awaits: Bool

    package init(stream: String, awaits: Bool = false) { (self.stream, self.awaits) = (stream, awaits) }

    package init(_ members: inout Members) throws(InvalidParameter) {
      stream = try members.required("stream", \.string)
      awaits = try members.optional("awaits", \.bool) ?? false
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["stream": .string(stream)]
      if awaits { members["awaits"] = .bool(true) }
      return members
    }
  }

  package typealias Reply = StreamReply
}
