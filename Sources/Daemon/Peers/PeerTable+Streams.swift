import Activity
import Continuation
import EventLoop

/// The streams of all peers, with a session or waiting for the next.
extension PeerTable {
  /// A new stream on the peer's session, or waiting for the next one.
  ///
  /// - Returns: nil where the peer has too many.
  func addStream(_ stream: StreamID, sendLimit: UInt64) -> StreamBridge? {
    if let session = session(with: stream.peer) { return session.addStream(stream.number, sendLimit: sendLimit) }
    guard streams.count(with: stream.peer) < Limits.streamsPerPeer else { return nil }
    let bridge = StreamBridge(stream, sendLimit: sendLimit, connection: nil, table: streams)
    bridge.suspend()
    return bridge
  }

  /// Every stream, to be left to the daemon after this one.
  func takeStreams() -> [StreamBridge] { sessions.flatMap(\.openStreams) + streams.takeAll() }

  func resetStreams(_ reason: Reason) {
    sessions.forEach { $0.resetStreams(reason) }
    streams.endAll(reason)
  }
}
