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
    @Coded<FalseByDefault> package var isIncomplete: Bool

    package init(activityTypes: [String], isIncomplete: Bool = false) {
      self.activityTypes = activityTypes
      self.isIncomplete = isIncomplete
    }
  }

  package enum Event: String, CaseIterable, Codable, Sendable {
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

    private enum CodingKeys: CodingKey { case event }

    /// The members of the request are beside `event`.
    package init(from decoder: any Decoder) throws {
      event = try decoder.container(keyedBy: CodingKeys.self).decode(Event.self, forKey: .event)
      request = event == .launchRequested ? try LaunchRequest(from: decoder) : nil
    }

    package func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(event, forKey: .event)
      try request?.encode(to: encoder)
    }
  }
}

/// An offer for which the launcher must start an app.
package struct LaunchRequest: Structure {
  /// The name of the request, for `ReportLaunch`.
  package let launch: String
  /// The activity that is offered.
  package let id: ActivityID
  /// The device that offers it. Nil for an activity of this machine.
  package let deviceID: DeviceID?
  package let activityType: String
  /// The only app that may be started. Nil for any that takes the type.
  package let application: String?
  /// The Team ID as people see it. Nil for an activity of this machine.
  package let team: String?
  /// Whether the activity has a page, which can be shown if no app takes the type.
  @Coded<FalseByDefault> package var hasWebPage: Bool
  /// The host of the page that was offered. A page of another host must not be shown.
  package let webpageHost: String?
  /// The token that lets the app take the focus; see `OpenOffer`.
  package let activationToken: String?

  package init(
    launch: String,
    id: ActivityID,
    deviceID: DeviceID? = nil,
    activityType: String,
    application: String? = nil,
    team: String?,
    hasWebPage: Bool = false,
    webpageHost: String? = nil,
    activationToken: String? = nil
  ) {
    self.launch = launch
    self.id = id
    self.deviceID = deviceID
    self.activityType = activityType
    self.application = application
    self.team = team
    self.hasWebPage = hasWebPage
    self.webpageHost = webpageHost
    self.activationToken = activationToken
  }
}
