import Activity
import EventLoop
import Systemd

/// How often a peer has recently connected and been logged. It is kept even when nothing else is known about the peer.
@Loop
struct PeerConduct {
  /// Shared by all of the peer's connections.
  let messages = MessageBudget()
  private var sessions = TokenBucket(Limits.peerSessionRate, at: Loop.now)
  private var lines = LineLimit(Limits.peerLogRate, at: Loop.now)
  private var streamLines = LineLimit(Limits.peerStreamLogRate, at: Loop.now)

  /// Whether the peer may begin another session.
  mutating func mayConnect() -> Bool { sessions.take(at: Loop.now) }

  /// Logs something about the peer, unless there were too many lines about it.
  mutating func log(_ message: String, _ fields: KeyValuePairs<String, String>, of name: String, in log: Log) {
    log.info(message, fields, &lines, leftOut: "Suppressed lines about a peer", ("peer", name))
  }

  /// Does the same for one of the peer's streams.
  mutating func logStream(_ message: String, _ fields: KeyValuePairs<String, String>, of name: String, in log: Log) {
    log.info(message, fields, &streamLines, leftOut: "Suppressed lines about streams", ("peer", name))
  }
}
