import JSONCoding
import Varlink

/// The reply after which a connection carries the bytes of a stream.
package struct StreamReply: Structure {
  /// The name of the stream, for `AwaitStream`.
  package let stream: String

  package init(stream: String) { self.stream = stream }
}
