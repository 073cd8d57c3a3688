import Activity
import PeerProtocol

/// The rows of this machine's tables.
extension ContinuationCore {
  /// How new a device's state is.
  struct Version: Comparable {
    /// When the state was announced, in seconds since 1970. So what others announce in the device's name counts only
    /// until the device itself speaks.
    var time: Int64 = 0
    var epoch: UInt64 = 0
    var counter: UInt64 = 0

    static func < (left: Version, right: Version) -> Bool {
      (left.time, left.epoch, left.counter) < (right.time, right.epoch, right.counter)
    }
  }

  struct Peer {
    var name: String
    /// The newest state that was seen in an advert or a session.
    var version: Version
    /// The epoch that the device gave in a session. An advert with another epoch is not believed until the next
    /// session.
    var epoch: UInt64?
    var isConnected = false
    var offers: [ActivityID: PeerOffer] = [:]
    /// The time at which offers known from adverts are dropped, unless the session has confirmed them.
    var confirmUntil: ContinuousClock.Instant?
    /// Whether this side's stream numbers are odd.
    var isFirst = false
    /// The number of the newest stream that the peer opened.
    var lastOpened: UInt32 = 0
    /// The epoch of the daemon whose stream numbers the peer continues.
    var streamEpoch: UInt64?
    var nextRequest: UInt64 = 1

    /// The order of the newest offer: greater for later ones, 0 if there is none.
    var newestOffer: UInt64 { offers.values.map(\.order).max() ?? 0 }
  }

  /// What is remembered of a device that is no longer visible, so that an older advert does not count.
  struct Forgotten {
    var version = Version()
    var epoch: UInt64?

    /// The order in which devices are forgotten: first those that are known only from adverts.
    var rank: Int { epoch == nil ? 0 : 1 }
  }

  struct PeerOffer {
    var record: ActivityRecord
    var source: VisibleOffer.Source
    var order: UInt64
  }

  struct Origin {
    let peer: PeerID
    let order: UInt64
  }

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
