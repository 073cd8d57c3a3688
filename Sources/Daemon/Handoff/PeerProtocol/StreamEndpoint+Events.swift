// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the shell of a stream reports, and what it does.
extension StreamEndpoint {
  package enum Event: Equatable, Sendable {
    /// A new session with the peer is ready.
    case sessionBegan
    /// The session is gone. A stream that has no session yet starts with this.
    case sessionLost
    /// The same for a session through a relay. Both sides need more time to find another path.
    case relayedSessionLost
    /// The app's socket is there.
    case attached
    /// The app's next bytes are in frames: at most what ``outgoing`` allows.
    case read(UInt64)
    /// Bytes are sent again: at most what ``outgoing`` asks for.
    case readAgain(UInt64)
    /// The app writes no more.
    case readEnd(AppCondition)
    /// The app's socket has taken bytes of the peer; it may be none.
    case wrote(UInt64)
    /// `StreamBridge.streamQuietTime` has passed since an acknowledgement was due.
    case quiet
    /// There is memory for so many more bytes of the peer.
    case widened(UInt64)
    /// The app's socket is broken.
    case socketFailed
    /// The answer to ``Effect/lookAtApp``.
    case looked(AppCondition)
    /// The answers to ``Effect/checkDelivery``: whether the app has read everything from its socket.
    case unread, allRead
    /// The app has read from its socket, or is gone.
    case appChanged
    /// The app will ask how the stream ends.
    case appExpected
    case appAsked
    /// A program that waited for the stream's end has hung up.
    case waiterLeft
    case wake
    /// This side gives the stream up.
    case giveUp(Reason)
    /// The stream is over and was not complete. The peer knows, or cannot be told.
    case abandon(Reason)
    /// The next daemon of this machine continues the stream.
    case leave
  }

  package enum Effect: Equatable, Sendable {
    case send(StreamMessage)
    /// Send the frames with this many of the next bytes.
    case sendData(UInt64)
    /// Send what ``StreamEndpoint/outgoing`` allows.
    case pump
    /// Write what has arrived to the app's socket.
    case deliver
    /// Keep the stream until the peer's next session.
    case suspend
    /// The stream continues on this session.
    case resumed
    /// End the app's socket: the app reads everything, and then the end.
    case endSocket
    /// Say how the app looks now.
    case lookAtApp
    /// Say whether the app has read everything.
    case checkDelivery
    /// From now on, say whenever the app has read, or is gone; or no longer.
    case watchApp(Bool)
    /// The stream is over. The reason is nil if it is complete. This is its last effect.
    ///
    /// The answer is for a peer that asks for the stream later.
    case end(Reason?, answer: StreamMessage)
  }

  /// What may be sent to the peer now.
  package enum Outgoing: Equatable, Sendable {
    case nothing
    /// Bytes that were sent in an earlier session and did not arrive.
    case again
    /// This many bytes that the app writes.
    case new(UInt64)
  }

  /// What the kernel and other programs say about the app.
  package struct AppCondition: Equatable, Sendable {
    /// The app's socket is closed, or ended in both directions.
    package var hasHungUp: Bool
    /// A program waits for the end of the stream.
    package var isAwaited: Bool
    /// A program that waited for the end of the stream is gone, so the app was killed.
    package var isAbandoned: Bool

    package init(hasHungUp: Bool, isAwaited: Bool, isAbandoned: Bool) {
      (self.hasHungUp, self.isAwaited, self.isAbandoned) = (hasHungUp, isAwaited, isAbandoned)
    }
  }
}
