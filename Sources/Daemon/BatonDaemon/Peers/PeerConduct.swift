// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// How often a peer has recently connected and been logged. It is kept even when nothing else is known about the peer.
@Loop
struct PeerConduct {
  /// The rate of connections that one peer dials.
  nonisolated static let peerSessionRate = TokenBucket.Rate(perSecond: 1, burst: 60)
  /// The rate of lines in the log about the streams with one peer, two for each stream. With `Limits.peerLogRate`, it
  /// is less than a quarter of what the unit may log in 30 s.
  private static let peerStreamLogRate = TokenBucket.Rate(perSecond: 1, burst: 60)

  /// Shared by all of the peer's connections.
  let messages = MessageBudget()
  private var sessions = TokenBucket(Self.peerSessionRate, at: Loop.now)
  private var lines = LineLimit(Limits.peerLogRate, at: Loop.now)
  private var streamLines = LineLimit(Self.peerStreamLogRate, at: Loop.now)

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
