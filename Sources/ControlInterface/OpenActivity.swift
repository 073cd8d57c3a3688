import Activity
import JSONCoding
import Varlink

/// Lets an app of the user on this machine continue an activity that the caller gives.
package enum OpenActivity: Method {
  package static let name = "io.baton.Handoff.OpenActivity"

  package struct Parameters: Structure {
    /// The activity. Its ID is ignored.
    package let activity: ControlActivity
    /// The app that must continue the activity. Nil for any that takes the type.
    @Coded<ApplicationName?> package var application: String?
    /// Where the activity came from. From another machine, it is as an offer of that one: any app that takes its type
    /// can continue it.
    @Coded<OriginCoding> package var origin: Origin
    /// See ``OpenOffer``.
    @Coded<OpenOffer.ActivationToken?> package var activationToken: String?

    package init(
      activity: ControlActivity,
      application: String? = nil,
      origin: Origin,
      activationToken: String? = nil
    ) {
      self.activity = activity
      self.application = application
      self.origin = origin
      self.activationToken = activationToken
    }
  }

  package typealias Reply = Nothing
}
