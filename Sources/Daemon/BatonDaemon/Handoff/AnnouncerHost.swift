// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// What ``Announcer`` needs from the other parts.
@Loop
protocol AnnouncerHost: AnyObject {
  /// How far a peer's clock may be ahead of this machine's, in seconds.
  ///
  /// - Parameter device: Nil if it is not yet known.
  func clockOffsets(in team: TeamID, of device: DeviceID?) -> [Int64]
  /// Whether this machine answers machines that join the team.
  func isInviting(to team: TeamID) -> Bool
  /// An instance was found that was not seen before. It may belong to one of the teams, or to a machine that may have
  /// given out a code.
  func found(_ instance: String)
  /// An advert of another device of a team was read.
  ///
  /// - Parameter discoveryKey: The key that it was sealed with: the team's, or an old one.
  func saw(_ advert: Advert, of team: TeamID, as instance: String, discoveryKey: [UInt8])
  /// An instance of a team was found whose advert this machine has no key for.
  func sawUnreadable(_ instance: String, of team: TeamID)
  /// What this machine tells a team has changed.
  func announced(_ team: TeamID)
  func resolved(_ instance: String, _ addresses: [SocketAddress])
  /// An instance has only addresses that are not of the link on which it is seen.
  func foundElsewhere(_ instance: String, _ addresses: [SocketAddress])
  func lost(_ instance: String)
  /// This machine has other addresses, links or routes. It has already been announced again.
  func networkChanged()
  /// Avahi may have become available or unavailable.
  func discoveryStateChanged()
}
