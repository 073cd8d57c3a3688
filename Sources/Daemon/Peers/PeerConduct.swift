import Activity
import EventLoop
import Systemd

/// What a peer has done lately, also where it is not known otherwise any more: how often it came, and was spoken of.
@Loop
struct PeerConduct {
  /// Shared by all of the peer's connections.
  let messages = MessageBudget()
  private var sessions = TokenBucket(Limits.peerSessionRate, at: Loop.now)
  private var lines = TokenBucket(Limits.peerLogRate, at: Loop.now)
  private var linesLeftOut = 0

  /// Whether it may begin another session.
  mutating func mayConnect() -> Bool { sessions.take(at: Loop.now) }

  /// Says something of the peer in the log, where that was not done too often.
  mutating func log(_ message: String, _ fields: KeyValuePairs<String, String>, of name: String, in log: Log?) {
    guard lines.take(at: Loop.now) else { return linesLeftOut += 1 }
    if linesLeftOut > 0 { log?.info("Left out lines about a peer", ["peer": name, "lines": "\(linesLeftOut)"]) }
    linesLeftOut = 0
    log?.info(message, fields)
  }
}
