import Activity

/// Another machine's current activity, as a user of this one sees it.
package struct VisibleOffer: Equatable, Sendable {
  package enum Source: String, Equatable, Sendable { case session, advert }

  package let activity: ActivityRecord
  package let peer: PeerID
  package let deviceName: String
  package let source: Source
  /// Differs each time the offer appears again after it was withdrawn or taken.
  package let generation: UInt64
}
