import Activity

/// What a server takes from its clients, at most.
package struct ServerLimits: Sendable {
  /// Bytes of one message without its NUL.
  package let messageLength: Int
  /// Arrays and objects within one another in a message.
  package let messageDepth: Int
  package let connections: Share
  /// What the calls of one user may cost: 1 each, and 1 for each KiB of it and of its first reply. Root's are not counted.
  package let calls: TokenBucket.Rate
  /// What the calls of one connection may cost before other users get their turn.
  package let callTurn: Double
  /// Bytes that may wait to be written to a client before it is dropped as one that does not read.
  package let sendQueueLength: Int

  package init(
    messageLength: Int,
    messageDepth: Int,
    connections: Share,
    calls: TokenBucket.Rate = TokenBucket.Rate(perSecond: 1e6, burst: 1e6),
    callTurn: Double = 16,
    sendQueueLength: Int
  ) {
    self.messageLength = messageLength
    self.messageDepth = messageDepth
    self.connections = connections
    self.calls = calls
    self.callTurn = callTurn
    self.sendQueueLength = sendQueueLength
  }
}
