import Activity
import JSONCoding
import Varlink

/// Offers an activity to one device, beside the calling user's current activity, for as long as the connection lasts.
/// Called with `more`.
package enum SendActivity: Method {
  package static let name = "io.baton.Handoff.SendActivity"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    package let activity: ControlActivity
    package let deviceID: DeviceID
    /// The ID of the team that the device is in. Nil is allowed unless it is in several teams of the user.
    package let team: String?

    package init(activity: ControlActivity, deviceID: DeviceID, team: String? = nil) {
      self.activity = activity
      self.deviceID = deviceID
      self.team = team
    }
  }

  package enum Event: String, CaseIterable, Codable, Sendable {
    /// The activity is offered to the device, or will be as soon as there is a session with it.
    case sent
    /// The activity is no longer offered.
    case resigned
    /// The device fetches the activity. The app must call `UpdateActivity`.
    case willSave
    /// The activity was continued on the device, and is no longer offered.
    case continued
    /// The device wants a stream. The app must call `AcceptStream`.
    case streamRequested
  }

  package struct Reply: Structure {
    package let id: ActivityID
    package let event: Event
    /// With `resigned`: why.
    package let reason: Reason?
    /// With `continued` and `streamRequested`: the name of the device.
    package let device: String?
    /// With `streamRequested`: the value for `AcceptStream`.
    package let stream: String?
    /// With `sent`: the members of the activity that were left out, because they are too long.
    package let omitted: [String]?

    package init(
      id: ActivityID,
      event: Event,
      reason: Reason? = nil,
      device: String? = nil,
      stream: String? = nil,
      omitted: [String]? = nil
    ) {
      self.id = id
      self.event = event
      self.reason = reason
      self.device = device
      self.stream = stream
      self.omitted = omitted
    }
  }
}

extension BecomeCurrent.Reply {
  /// The same for a program that treats both kinds of activity alike: what is sent is offered, as what is current.
  package init(_ reply: SendActivity.Reply) {
    let event: BecomeCurrent.Event =
      switch reply.event {
      case .sent: .current
      case .resigned: .resigned
      case .willSave: .willSave
      case .continued: .continued
      case .streamRequested: .streamRequested
      }
    self.init(
      id: reply.id,
      event: event,
      reason: reply.reason,
      device: reply.device,
      stream: reply.stream,
      omitted: reply.omitted
    )
  }
}
