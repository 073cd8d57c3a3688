import Activity
import JSONCoding
import Varlink

/// Waits until a stream is over, and says whether both directions were complete. A Unix socket cannot distinguish a
/// stream that broke from one that ended.
package enum AwaitStream: Method {
  package static let name = "io.baton.Handoff.AwaitStream"

  package struct Parameters: Structure {
    /// The stream's name from the reply of `OpenStream` or `AcceptStream`.
    package let stream: String

    package init(stream: String) { self.stream = stream }
  }

  package struct Reply: Structure {
    /// Why the stream broke. Nil if both directions were complete.
    package let reason: Reason?

    package init(reason: Reason?) { self.reason = reason }
  }
}
