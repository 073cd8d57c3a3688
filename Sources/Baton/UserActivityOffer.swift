import Activity
import ControlInterface
import Foundation

/// An activity on another machine of the user's teams, which this app can continue.
public struct UserActivityOffer: Sendable, Hashable, Identifiable {
  /// The ID of the activity, here and on the other machine.
  public let id: UUID
  /// The kind of activity, as in ``NSUserActivity/activityType``.
  public let activityType: String
  /// The title, for people. It may be cut to 64 bytes until the two machines are connected.
  public let title: String?
  /// The name of the machine.
  public let device: String
  /// The machine's ID in its team. Two machines can offer activities with the same ``id``.
  public let deviceID: String
  /// Whether you can request streams to the app on that machine.
  public let supportsContinuationStreams: Bool

  init?(_ offer: ControlOffer) {
    guard let id = UUID(uuidString: offer.id.description) else { return nil }
    self.id = id
    activityType = offer.activityType
    title = offer.title
    device = offer.device
    deviceID = offer.deviceID.text
    supportsContinuationStreams = offer.supportsContinuationStreams
  }
}

/// The values that tell the daemon which offer is meant.
struct OfferName: Hashable, Sendable {
  let id: UUID
  /// The machine's Device ID. Nil if the daemon did not give it.
  let device: String?
}
