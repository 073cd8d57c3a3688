import Activity
import PeerProtocol

/// The rows of this machine's tables.
extension ContinuationCore {
  /// A continuation that a local program requested and has not received.
  struct Fetching {
    let activityType: String
    var user: UserID
    let deadline: ContinuousClock.Instant
    /// Nil after the program has left.
    var client: ClientID?
    /// Nil until there is a session to send the fetch on.
    var request: UInt64?
    /// When to try again to reach the peer, if it could not be reached.
    var retry: ContinuousClock.Instant?
  }

  /// A continuation that a local program received.
  struct ContinuedActivity {
    let peer: PeerID
    let supportsStreams: Bool
    let order: UInt64
  }

  /// A stream that waits for an app to accept it.
  struct WaitingStream {
    let stream: StreamID
    let activity: ActivityID
    let user: UserID
    let deadline: ContinuousClock.Instant
  }

  /// A stream that waits for the peer's answer.
  struct OpeningStream {
    let activity: ActivityID
    let user: UserID
    let client: ClientID
    let deadline: ContinuousClock.Instant
  }
}
