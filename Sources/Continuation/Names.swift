import Activity

/// A user of this machine, as the kernel's number. 0 is root, who sees every team.
package typealias UserID = UInt32

/// Another device, as a member of one team.
package struct PeerID: Hashable, Sendable, CustomStringConvertible {
  package let team: TeamID
  package let device: DeviceID

  package init(team: TeamID, device: DeviceID) {
    self.team = team
    self.device = device
  }

  package var description: String { device.description }
}

/// One activity that one peer offers. The activity's ID alone is not enough, because another member of the team can
/// offer an activity that it has heard of.
package struct OfferID: Hashable, Sendable {
  package let peer: PeerID
  package let activity: ActivityID

  package init(peer: PeerID, activity: ActivityID) {
    self.peer = peer
    self.activity = activity
  }
}

/// One call of a local program that waits for its answer, or for events.
package struct ClientID: Hashable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

/// One continuation stream with a peer. It may outlive the session in which it was opened.
package struct StreamID: Hashable, Sendable {
  package let peer: PeerID
  package let number: UInt32

  package init(peer: PeerID, number: UInt32) {
    self.peer = peer
    self.number = number
  }
}

/// The clocks at one moment: one that never jumps, for waits, and the calendar clock, for expiration dates.
package struct Time: Equatable, Sendable {
  package let instant: ContinuousClock.Instant
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let date: Double

  package init(instant: ContinuousClock.Instant, date: Double) {
    self.instant = instant
    self.date = date
  }

  /// ``date``, without its fraction.
  var seconds: Int64 { Int64(exactly: date.rounded(.down)) ?? 0 }
}

/// What the app that holds an activity is told about it.
package enum ActivityEvent: Equatable, Sendable {
  case current
  case resigned(Reason)
  case willSave
  case continued(device: String)
  /// - Parameter token: The name of the stream, for accepting it.
  case streamRequested(token: String, device: String)
}

/// Another machine's current activity, as a user of this one sees it.
package struct VisibleOffer: Equatable, Sendable {
  package enum Source: String, Equatable, Sendable { case session, advert }

  package let activity: ActivityRecord
  package let peer: PeerID
  package let deviceName: String
  package let source: Source
}
