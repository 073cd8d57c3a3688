// SPDX-License-Identifier: Apache-2.0

import Varlink

/// Why the server closed a connection that its client would have kept.
package enum DropReason: Equatable, Sendable {
  /// The kernel could not name the client's user.
  case unknownUser
  case tooManyConnections
  case tooManyConnectionsOfUser
  case malformedMessage(MalformedMessage)
  case messageTooLong
  /// More bytes of replies waited than `ServerLimits` allows one client, or more bytes of calls and replies than it
  /// allows all clients of one user.
  case notReading
}
