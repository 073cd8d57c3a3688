import Activity
import JSONCoding
import Varlink

/// Makes an activity the calling user's current one, for as long as the connection lasts. Called with `more`.
package enum BecomeCurrent: Method {
  package static let name = "io.baton.Handoff.BecomeCurrent"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    package let activity: ControlActivity
    /// The ID of the only team that sees the activity. Nil for all teams of the user.
    package let team: String?

    package init(activity: ControlActivity, team: String? = nil) {
      self.activity = activity
      self.team = team
    }
  }

  package enum Event: String, CaseIterable, Codable, Sendable {
    /// The activity is offered now.
    case current
    /// Another activity of the user, or none, is current now.
    case resigned
    /// Another machine fetches the activity. The app must call `UpdateActivity`.
    case willSave
    /// The activity was continued on another machine, and is no longer offered.
    case continued
    /// The machine that continued the activity wants a stream. The app must call `AcceptStream`.
    case streamRequested
  }

  package struct Reply: Structure {
    package let id: ActivityID
    package let event: Event
    /// With `resigned`: why.
    package let reason: Reason?
    /// With `continued` and `streamRequested`: the name of the device that continued the activity.
    package let device: String?
    /// With `streamRequested`: the value for `AcceptStream`.
    package let stream: String?
    /// With `current`: the members of the activity that were left out, because they are too long.
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
