import Activity
import JSONCoding
import Varlink

package enum OpenActivity: Method {
  package static let name = "io.baton.Handoff.OpenActivity"
  package struct Parameters: Structure {
    package let activity: ControlActivity
    package let application: String?
    package let activationToken: String?
    package init(activity: ControlActivity, application: String? = nil, activationToken: String? = nil) {
      self.activity = activity
      self.application = application
      self.activationToken = activationToken
    }
  }
  package typealias Reply = Nothing
}
