// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits of what a server accepts from its clients.
package struct ServerLimits: Sendable {
  /// The maximum length of one message without its NUL, in bytes.
  package let messageLength: Int
  /// The maximum nesting depth of arrays and objects in a message.
  package let messageDepth: Int
  package let connections: Share
  /// How long, in seconds, what one user sends may occupy the loop. Root's time is not counted.
  package let userTime: TokenBucket.Rate
  /// How long the calls of one connection may occupy the loop before it is the turn of others.
  package let callTurn: Duration
  /// The maximum number of bytes that may wait to be written to a client. A client that exceeds it does not read, and
  /// is dropped.
  package let sendQueueLength: Int
  /// The maximum number of bytes that all clients of one user may make the server hold: calls that are not complete or
  /// not handled, and replies that are not read. Root's are not counted.
  package let userQueueLength: Int

  package init(
    messageLength: Int,
    messageDepth: Int,
    connections: Share,
    userTime: TokenBucket.Rate = TokenBucket.Rate(perSecond: 1e6, burst: 1e6),
    callTurn: Duration = .milliseconds(1),
    sendQueueLength: Int,
    userQueueLength: Int = .max
  ) {
    self.messageLength = messageLength
    self.messageDepth = messageDepth
    self.connections = connections
    self.userTime = userTime
    self.callTurn = callTurn
    self.sendQueueLength = sendQueueLength
    self.userQueueLength = userQueueLength
  }
}
