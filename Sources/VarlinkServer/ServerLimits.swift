import Activity

/// What a server takes from its clients, at most.
package struct ServerLimits: Sendable {
  /// Bytes of one message without its NUL.
  package let messageLength: Int
  /// Arrays and objects within one another in a message.
  package let messageDepth: Int
  package let connections: Share
  /// Seconds for which what one user sends may keep the loop. Root's are not counted.
  package let userTime: TokenBucket.Rate
  /// How long the calls of one connection may keep the loop before others get their turn.
  package let callTurn: Duration
  /// Bytes that may wait to be written to a client before it is dropped as one that does not read.
  package let sendQueueLength: Int
  /// The same for all clients of one user. Root's are not counted.
  package let userSendQueueLength: Int

  package init(
    messageLength: Int,
    messageDepth: Int,
    connections: Share,
    userTime: TokenBucket.Rate = TokenBucket.Rate(perSecond: 1e6, burst: 1e6),
    callTurn: Duration = .milliseconds(1),
    sendQueueLength: Int,
    userSendQueueLength: Int = .max
  ) {
    self.messageLength = messageLength
    self.messageDepth = messageDepth
    self.connections = connections
    self.userTime = userTime
    self.callTurn = callTurn
    self.sendQueueLength = sendQueueLength
    self.userSendQueueLength = userSendQueueLength
  }
}
