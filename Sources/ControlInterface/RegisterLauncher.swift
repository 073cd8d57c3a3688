import Activity
import JSON
import Varlink

/// Makes the caller the program that starts the user's apps, for as long as the connection lasts. Called with `more`.
package enum RegisterLauncher: Method {
  package static let name = "io.baton.Handoff.RegisterLauncher"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    /// What it has apps for.
    package let activityTypes: [String]
    /// There may be apps for other types: it could not look at all of them, or name all of their types.
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
    /// The user opens an offer that no running app takes: `ReportLaunch` is awaited.
    case launchRequested
  }

  package struct Reply: Structure {
    package let event: Event
    /// The rest with `launchRequested`.
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

/// An offer for which an app is to be started.
package struct LaunchRequest: Structure {
  /// Names the request in `ReportLaunch`.
  package let launch: String
  /// The offer.
  package let id: ActivityID
  /// Whose it is.
  package let deviceID: DeviceID?
  package let activityType: String
  /// Team ID as people see it.
  package let team: String
  /// Where no app takes the type, its page can be shown.
  package let hasWebPage: Bool
  /// Whose page was offered: one of another host is not to be shown.
  package let webpageHost: String?
  /// What lets the app take the focus; see `OpenOffer`.
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
