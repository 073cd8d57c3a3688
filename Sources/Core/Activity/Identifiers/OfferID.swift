// SPDX-License-Identifier: Apache-2.0

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
