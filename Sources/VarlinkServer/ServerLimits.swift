/// What a server takes from its clients, at most.
package struct ServerLimits: Sendable {
  /// Bytes of one message without its NUL.
  package let messageLength: Int
  /// Arrays and objects within one another in a message.
  package let messageDepth: Int
  /// Connections of all users.
  package let connections: Int
  /// Connections of one user; root is counted only in all.
  package let connectionsPerUser: Int
  /// Bytes that may wait to be written to a client before it is dropped as one that does not read.
  package let sendQueueLength: Int

  package init(
    messageLength: Int,
    messageDepth: Int,
    connections: Int,
    connectionsPerUser: Int,
    sendQueueLength: Int
  ) {
    self.messageLength = messageLength
    self.messageDepth = messageDepth
    self.connections = connections
    self.connectionsPerUser = connectionsPerUser
    self.sendQueueLength = sendQueueLength
  }
}
