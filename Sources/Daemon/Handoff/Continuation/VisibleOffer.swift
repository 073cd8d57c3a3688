// SPDX-License-Identifier: Apache-2.0

import Activity

/// Another machine's current activity, or one that it sends to this machine, as a user of this one sees it.
package struct VisibleOffer: Equatable, Sendable {
  package enum Source: String, Equatable, Sendable { case session, advert }

  package let activity: ActivityRecord
  package let peer: PeerID
  package let deviceName: String
  package let source: Source
  /// Differs each time the offer appears again after it was withdrawn or taken.
  package let generation: UInt64
  /// Whether it is offered to this machine alone, because a person sent it here.
  package let isSent: Bool
}
