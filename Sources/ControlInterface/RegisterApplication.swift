import Activity
import JSONCoding
import Varlink

/// Registers the activity types that an app continues, for as long as the connection lasts. Called with `more`.
package enum RegisterApplication: Method {
  package static let name = "io.baton.Handoff.RegisterApplication"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    package let activityTypes: [String]
    /// The name under which `OpenActivity` finds the app, whatever its types.
    @Coded<ApplicationName?> package var application: String?

    package init(activityTypes: [String], application: String? = nil) {
      self.activityTypes = activityTypes
      self.application = application
    }
  }

  package enum Event: String, CaseIterable, Codable, Sendable {
    case registered
    /// The user wants this app to continue the offer `id`.
    case continueRequested
  }

  package struct Reply: Structure {
    package let event: Event
    /// With `continueRequested`: the activity.
    package let id: ActivityID?
    /// With `continueRequested`: the device whose offer to continue, for `Continue`. Nil for an activity of this
    /// machine.
    package let deviceID: DeviceID?
    /// With `continueRequested`: the activity's type.
    package let activityType: String?
    /// With `continueRequested`: the title of the offer that the user opened.
    package let title: String?
    /// With `continueRequested`: the name of the app if the activity is for this app, whatever types it continues.
    package let application: String?
    /// With `continueRequested`: the host of the page that was offered. A page of another host must not be opened.
    package let webpageHost: String?
    /// With `continueRequested`: the token that lets the app take the focus. See ``OpenOffer``.
    @Coded<OpenOffer.ActivationToken?> package var activationToken: String?

    package init(
      event: Event,
      id: ActivityID? = nil,
      deviceID: DeviceID? = nil,
      activityType: String? = nil,
      title: String? = nil,
      application: String? = nil,
      webpageHost: String? = nil,
      activationToken: String? = nil
    ) {
      self.event = event
      self.id = id
      self.deviceID = deviceID
      self.activityType = activityType
      self.title = title
      self.application = application
      self.webpageHost = webpageHost
      self.activationToken = activationToken
    }
  }
}
