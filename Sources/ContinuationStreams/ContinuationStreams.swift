import Foundation

/// Makes the two streams that an app gets from a continuation.
package enum ContinuationStreams {
  /// Two unopened streams over one connected Unix stream socket.
  ///
  /// Each may be used by a thread of its own. The socket is closed when both are closed or gone.
  ///
  /// - Parameters:
  ///   - descriptor: Owned from here on.
  ///   - leftover: Bytes that came with the reply that turned the connection into a stream: read first.
  ///   - outcome: To be told how the stream ended once the daemon has said so. Whoever holds the call that asks the
  ///     daemon should do so until then, also when the streams are closed: a daemon that finds it gone takes the stream
  ///     for given up.
  package static func pair(
    owning descriptor: Int32,
    leftover: [UInt8] = [],
    outcome: StreamOutcome
  ) -> (InputStream, OutputStream) {
    let socket = StreamSocket(owning: descriptor)
    outcome.follow(socket)
    return (
      ContinuationInputStream(StreamCore(.input, socket, leftover: leftover, outcome)),
      ContinuationOutputStream(StreamCore(.output, socket, outcome))
    )
  }
}
