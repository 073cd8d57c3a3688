// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation

/// An activity on another machine in the user's teams, which this app can continue.
///
/// Offers are equal if they are the same offer with the same ``generation``, and look the same.
public struct UserActivityOffer: Sendable, Hashable, Identifiable {
  /// The ID of the activity, here and on the other machine.
  public let id: UUID
  /// The kind of activity, as in ``NSUserActivity/activityType``.
  public let activityType: String
  /// The title to show to users. It may be cut to 64 bytes until the two machines are connected.
  public let title: String?
  /// The name of the machine.
  public let device: String
  /// The machine's ID in its team. Two machines can offer activities with the same ``id``.
  public let deviceID: String
  /// Whether the activity has a web page. An app whose types include ``NSUserActivityTypeBrowsingWeb`` can continue it,
  /// whatever its type.
  public let hasWebPage: Bool
  /// Whether you can request streams to the app on that machine.
  public let supportsContinuationStreams: Bool
  /// A number that changes each time the offer reappears after it was withdrawn or continued. So an offer that you have
  /// continued and that comes back isn't equal to the one before. It is 0 with an older daemon.
  public let generation: Int

  init?(_ offer: ControlOffer) {
    guard let id = UUID(uuidString: offer.id.description) else { return nil }
    self.id = id
    activityType = offer.activityType
    title = offer.title
    hasWebPage = offer.hasWebPage
    device = offer.device
    deviceID = offer.deviceID.text
    supportsContinuationStreams = offer.supportsContinuationStreams
    generation = offer.generation ?? 0
  }
}

extension UserActivityOffer {
  /// Returns the type of the activity that an app with these types receives. Nil if it cannot continue the offer.
  func arrivingType(_ types: Set<String>) -> String? {
    if types.contains(activityType) { return activityType }
    return hasWebPage && types.contains(NSUserActivityTypeBrowsingWeb) ? NSUserActivityTypeBrowsingWeb : nil
  }
}

/// The values that tell the daemon which offer is meant.
struct OfferName: Hashable, Sendable {
  let id: UUID
  /// The machine's Device ID. Nil if the daemon did not give it.
  let device: String?
  /// See ``UserActivityOffer/generation``.
  var generation = 0

  /// Whether both name the same offer, whenever it appeared.
  func isSame(as other: OfferName) -> Bool { id == other.id && device == other.device }

  /// Whether this is a later appearance of the same offer.
  func follows(_ other: OfferName) -> Bool { isSame(as: other) && generation > other.generation }
}
