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
    /// See ``OpenOffer``.
    @Coded<OpenOffer.ActivationToken?> package var activationToken: String?

    package init(activity: ControlActivity, application: String? = nil, activationToken: String? = nil) {
      self.activity = activity
      self.application = application
      self.activationToken = activationToken
    }
  }

  package typealias Reply = Nothing
}
