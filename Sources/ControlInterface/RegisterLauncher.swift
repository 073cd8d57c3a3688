import Activity
import JSONCoding
import Varlink

/// Makes the caller the program that starts the user's apps, for as long as the connection lasts. Called with `more`.
package enum RegisterLauncher: Method {
  package static let name = "io.baton.Handoff.RegisterLauncher"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    /// The types that the launcher has apps for.
    package let activityTypes: [String]
    /// Whether there may be apps for other types, because the launcher could not read all apps or list all of their
    /// types.
    package let isIncomplete: Bool

    package init(activityTypes: [String], isIncomplete: Bool = false) {
      self.activityTypes = activityTypes
      self.isIncomplete = isIncomplete
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      activityTypes = try members.required("activityTypes") { json in
        let types = json.array?.compactMap(\.string)
        return types?.count == json.array?.count ? types : nil
      }
      isIncomplete = try members.optional("isIncomplete", \.bool) ?? false
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["activityTypes": .array(activityTypes.map(JSON.string))]
      if isIncomplete { members["isIncomplete"] = true }
      return members
    }
  }

  package enum Event: String, CaseIterable, Sendable {
    case registered
    /// The user opens an offer that no running app takes. The launcher must call `ReportLaunch`.
    case launchRequested
  }

  package struct Reply: Structure {
    package let event: Event
    /// With `launchRequested`: the request.
    package let request: LaunchRequest?

    package init(event: Event, request: LaunchRequest? = nil) {
      self.event = event
      self.request = request
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      event = try members.choice("event")
      request = event == .launchRequested ? try LaunchRequest(&members) : nil
    }

    package var members: [String: JSON] {
      (request?.members ?? [:]).merging(["event": .string(event.rawValue)]) { $1 }
    }
  }
}

/// An offer for which the launcher must start an app.
package struct LaunchRequest: Structure {
  /// The name of the request, for `ReportLaunch`.
  package let launch: String
  /// The activity that is offered.
  package let id: ActivityID
  /// The device that offers it.
  package let deviceID: DeviceID?
  package let activityType: String
  /// The Team ID as people see it.
  package let team: String
  /// Whether the activity has a page, which can be shown if no app takes the type.
  package let hasWebPage: Bool
  /// The host of the page that was offered. A page of another host must not be shown.
  package let webpageHost: String?
  /// The token that lets the app take the focus; see `OpenOffer`.
  package let activationToken: String?

  package init(
    launch: String,
    id: ActivityID,
    deviceID: DeviceID? = nil,
    activityType: String,
    team: String,
    hasWebPage: Bool = false,
    webpageHost: String? = nil,
    activationToken: String? = nil
  ) {
    self.launch = launch
    self.id = id
    self.deviceID = deviceID
    self.activityType = activityType
    self.team = team
    self.hasWebPage = hasWebPage
    self.webpageHost = webpageHost
    self.activationToken = activationToken
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    launch = try members.required("launch", \.string)
    id = try members.activityID("id")
    deviceID = try members.optionalDeviceID("deviceID")
    activityType = try members.required("activityType", \.string)
    team = try members.required("team", \.string)
    hasWebPage = try members.optional("hasWebPage", \.bool) ?? false
    webpageHost = try members.optional("webpageHost", \.string)
    activationToken = try members.optional("activationToken", \.string)
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [
      "launch": .string(launch), "id": .string(id.description), "activityType": .string(activityType),
      "team": .string(team),
    ]
    members["deviceID"] = deviceID.map { .string($0.text) }
    if hasWebPage { members["hasWebPage"] = true }
    members["webpageHost"] = webpageHost.map(JSON.string)
    members["activationToken"] = activationToken.map(JSON.string)
    return members
  }
}
