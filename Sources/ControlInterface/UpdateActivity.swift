import JSONCoding
import Varlink

/// Replaces the state of an activity that this user published.
package enum UpdateActivity: Method {
  package static let name = "io.baton.Handoff.UpdateActivity"

  package struct Parameters: Structure {
    /// The new state. Its ID names the activity to replace.
    package let activity: ControlActivity

    package init(activity: ControlActivity) { self.activity = activity }
  }

  package struct Reply: Structure {
    /// The members of the activity that were left out, because they are too long.
    package let omitted: [String]?

    package init(omitted: [String]? = nil) { self.omitted = omitted }
  }
}
