import Activity

/// What a server takes from its clients, at most.
package struct ServerLimits: Sendable {
  /// Bytes of one message without its NUL.
  package let messageLength: Int
  /// Arrays and objects within one another in a message.
  package let messageDepth: Int
  package let connections: Share
  /// Bytes that may wait to be written to a client before it is dropped as one that does not read.
  package let sendQueueLength: Int

  package init(
    messageLength: Int,
    messageDepth: Int,
    connections: Share,
    sendQueueLength: Int
  ) {
    self.messageLength = messageLength
    self.messageDepth = messageDepth
    self.connections = connections
    self.sendQueueLength = sendQueueLength
  }
}
