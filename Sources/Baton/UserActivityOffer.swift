import Activity
import ControlInterface
import Foundation

/// What another machine of the user's teams is doing, which this app can continue.
public struct UserActivityOffer: Sendable, Hashable, Identifiable {
  /// Names the activity, here and on the other machine.
  public let id: UUID
  /// Names the kind of activity, as ``NSUserActivity/activityType`` does.
  public let activityType: String
  /// For people; at most 64 bytes of it are known before the activity is continued.
  public let title: String?
  /// The name of the machine.
  public let device: String
  /// Names the machine in its team. Two can offer activities of the same ``id``.
  public let deviceID: String
  /// Whether streams to the app on that machine may be asked for.
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

/// What the daemon is told to name an offer.
struct OfferName: Hashable, Sendable {
  let id: UUID
  /// The machine's Device ID; nil where the daemon did not say it.
  let device: String?
}
