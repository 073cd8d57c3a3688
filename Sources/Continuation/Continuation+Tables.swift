import Activity
import PeerProtocol

/// The rows of the machine's tables.
extension Continuation {
  /// An activity that a program of this machine holds.
  struct LocalActivity {
    var record: ActivityRecord
    let user: UserID
    let team: TeamID?
    let client: ClientID
    /// Greater for what became current later.
    let order: UInt64
    var isCurrent = true
    var isContinued = false
    /// The peer that fetched it and has not said what became of it.
    var reservation: (peer: PeerID, until: ContinuousClock.Instant)?
    /// Peers that continued it: they may open streams.
    var continuedBy: Set<PeerID> = []
    /// Fetches that wait for the app's fresh state.
    var saving: (until: ContinuousClock.Instant, fetches: [(peer: PeerID, request: UInt64)])?

    var isOffered: Bool { isCurrent && !isContinued }

    /// Whether somebody else than `peer` has it, or is getting it.
    func isTaken(for peer: PeerID) -> Bool { isContinued || reservation.map { $0.peer != peer } == true }
  }

  /// How new a state of a device is.
  struct Version: Comparable {
    /// When it was said, in seconds since 1970: nobody can say what counts for longer than until the device speaks itself.
    var time: Int64 = 0
    var epoch: UInt64 = 0
    var counter: UInt64 = 0

    static func < (left: Version, right: Version) -> Bool {
      (left.time, left.epoch, left.counter) < (right.time, right.epoch, right.counter)
    }
  }

  /// What the peers of a team were told.
  struct Announced {
    var offers: [ActivityID: ActivityRecord] = [:]
    /// What the advert shows.
    var shown: ActivityID?
    /// How often that changed.
    var counter: UInt64 = 0
  }

  struct Peer {
    var name: String
    /// The newest state that was seen, in an advert or over a session.
    var version: Version
    /// The epoch that the device named in a session: an advert with another is not believed until the next session.
    var epoch: UInt64?
    var isConnected = false
    var offers: [ActivityID: PeerOffer] = [:]
    /// Offers known from adverts are dropped then, unless the session confirmed them.
    var confirmUntil: ContinuousClock.Instant?
    /// This side's stream numbers are odd.
    var isFirst = false
    /// Number of the newest stream that the peer opened.
    var lastOpened: UInt32 = 0
    /// Whose stream numbers the peer goes on with.
    var streamEpoch: UInt64?
    var nextRequest: UInt64 = 1

    /// Greater for what was offered later; 0 where nothing is.
    var newestOffer: UInt64 { offers.values.map(\.order).max() ?? 0 }
  }

  /// What is kept of a device that is not in sight any more: an older advert is not its.
  struct Forgotten {
    var version = Version()
    var epoch: UInt64?

    /// Those of which only adverts speak are forgotten first.
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

  /// A continuation that a local program asked for and has not got.
  struct Fetching {
    let activityType: String
    var user: UserID
    let deadline: ContinuousClock.Instant
    /// Nil when the program has left.
    var client: ClientID?
    /// Nil until there is a session to send the fetch on.
    var request: UInt64?
    /// When the peer, which could not be reached, is tried again.
    var retry: ContinuousClock.Instant?
  }

  /// A continuation that a local program got.
  struct Continued {
    let peer: PeerID
    let supportsStreams: Bool
    let order: UInt64
  }

  /// A stream that waits for the app that shall accept it.
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
