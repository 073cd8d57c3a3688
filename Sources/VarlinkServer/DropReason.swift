import Varlink

/// Why the server closed a connection that its client would have kept.
package enum DropReason: Equatable, Sendable {
  /// The kernel could not name the client's user.
  case unknownUser
  case tooManyConnections
  case tooManyConnectionsOfUser
  case malformedMessage(MalformedMessage)
  case messageTooLong
  /// Replies of more than `ServerLimits.sendQueueLength` bytes were waiting.
  case notReading
}
