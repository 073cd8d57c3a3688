// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The streams of all peers, with a session or waiting for the next one.
extension PeerTable {
  /// Returns a new stream on the peer's session, or one that waits for the next session.
  ///
  /// - Returns: Nil if the peer has too many streams, or there is no memory for what it may send.
  func addStream(_ stream: StreamID, of user: UserID, _ limits: FirstLimits) -> StreamBridge? {
    if let connection = connection(with: stream.peer) {
      return connection.addStream(stream.number, of: user, limits)
    }
    guard streams.count(with: stream.peer) < streams.memory.budget.streamsPerPeer else { return nil }
    return StreamBridge(stream, of: user, limits, connection: nil, table: streams)
  }

  /// Returns every stream, to leave them to the next daemon.
  func takeStreams() -> [StreamBridge] { connections.flatMap(\.openStreams) + streams.takeAll() }

  func resetStreams(_ reason: Reason) {
    connections.forEach { $0.resetStreams(reason) }
    streams.endAll(reason)
  }
}
