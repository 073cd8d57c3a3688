import JSONCoding
import Varlink

/// The reply after which a connection carries the bytes of a stream.
package struct StreamReply: Structure {
  /// The name of the stream, for `AwaitStream`.
  package let stream: String

  package init(stream: String) { self.stream = stream }

  package init(_ members: inout Members) throws(InvalidParameter) {
    stream = try members.required("stream", \.string)
  }

  package var members: [String: JSON] { ["stream": .string(stream)] }
}
