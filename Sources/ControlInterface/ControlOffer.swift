import Activity
import JSONCoding
import Varlink

/// The type `Offer`: another machine's current activity, as it is known before it is fetched.
package struct ControlOffer: Structure {
  /// How this machine learned of the offer.
  package enum Source: String, CaseIterable, Sendable {
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
  package let hasWebPage: Bool
  /// The host of that page, if the other machine gives it.
  package let webpageHost: String?
  /// Whether a running program of the user takes the type.
  package let hasApplication: Bool
  /// The name of the device that offers the activity.
  package let device: String
  package let deviceID: DeviceID
  /// The Team ID as people see it.
  package let team: String
  package let source: Source

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
    source: Source
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
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    id = try members.activityID("id")
    activityType = try members.required("activityType", \.string)
    title = try members.optional("title", \.string)
    supportsContinuationStreams = try members.required("supportsContinuationStreams", \.bool)
    hasWebPage = try members.optional("hasWebPage", \.bool) ?? false
    webpageHost = try members.optional("webpageHost", \.string)
    hasApplication = try members.optional("hasApplication", \.bool) ?? false
    device = try members.required("device", \.string)
    deviceID = try members.deviceID("deviceID")
    team = try members.required("team", \.string)
    source = try members.choice("source")
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [
      "id": .string(id.description), "activityType": .string(activityType),
      "supportsContinuationStreams": .bool(supportsContinuationStreams), "device": .string(device),
      "deviceID": .string(deviceID.text), "team": .string(team), "source": .string(source.rawValue),
    ]
    members["title"] = title.map(JSON.string)
    if hasWebPage { members["hasWebPage"] = true }
    members["webpageHost"] = webpageHost.map(JSON.string)
    if hasApplication { members["hasApplication"] = true }
    return members
  }
}
