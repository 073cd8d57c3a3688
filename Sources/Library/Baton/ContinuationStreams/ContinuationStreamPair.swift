// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Creates the two streams that an app gets from a continuation.
package enum ContinuationStreamPair {
  /// Creates two unopened streams over one connected Unix stream socket.
  ///
  /// Each may be used by a thread of its own. The socket is closed when both are closed or released.
  ///
  /// - Parameters:
  ///   - descriptor: The socket. This function takes ownership of it.
  ///   - leftover: Bytes that came with the reply that turned the connection into a stream. They are read first.
  ///   - outcome: How the stream ended, to be set once the daemon has reported it. Keep the call that asks the daemon
  ///     until then, even if the streams are closed. If the call goes away, the daemon considers the stream given up.
  package static func make(
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
