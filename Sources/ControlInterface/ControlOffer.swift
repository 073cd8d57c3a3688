import Activity
import JSONCoding
import Varlink

/// The type `Offer`: another machine's current activity, or one that it sends to this machine, as it is known before it
/// is fetched.
package struct ControlOffer: Structure {
  /// How this machine learned of the offer.
  package enum Source: String, CaseIterable, Codable, Sendable {
    /// Over an authenticated connection.
    case session
    /// From multicast, so it is only a hint.
    case advert
  }

  package let id: ActivityID
  package let activityType: String
  package let title: String?
  package let supportsContinuationStreams: Bool
  /// Whether there is a page to show if no app takes the type.
  @Coded<FalseByDefault> package var hasWebPage: Bool
  /// The host of that page, if the other machine gives it.
  package let webpageHost: String?
  /// Whether a running program of the user takes the type.
  @Coded<FalseByDefault> package var hasApplication: Bool
  /// The name of the device that offers the activity.
  package let device: String
  package let deviceID: DeviceID
  /// The Team ID as people see it.
  package let team: String
  package let source: Source
  /// Differs each time the offer appears again after it was withdrawn or taken. Nil from a daemon that does not say it.
  package let generation: Int?
  /// Whether it is offered to this machine alone, because a person sent it here.
  @Coded<FalseByDefault> package var isSent: Bool
  /// Whether a program of the user has the same here, as far as type, title and host tell, or has just handed it over
  /// to that device.
  @Coded<FalseByDefault> package var isHere: Bool

  package init(
    id: ActivityID,
    activityType: String,
    title: String?,
    supportsContinuationStreams: Bool,
    hasWebPage: Bool = false,
    webpageHost: String? = nil,
    hasApplication: Bool = false,
    device: String,
    deviceID: DeviceID,
    team: String,
    source: Source,
    generation: Int? = nil,
    isSent: Bool = false,
    isHere: Bool = false
  ) {
    self.id = id
    self.activityType = activityType
    self.title = title
    self.supportsContinuationStreams = supportsContinuationStreams
    self.hasWebPage = hasWebPage
    self.webpageHost = webpageHost
    self.hasApplication = hasApplication
    self.device = device
    self.deviceID = deviceID
    self.team = team
    self.source = source
    self.generation = generation
    self.isSent = isSent
    self.isHere = isHere
  }
}
