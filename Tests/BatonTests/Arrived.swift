import Activity
import ControlInterface
import Varlink

@testable import Baton

/// The activity as another machine's app gets it.
func arrived(_ activity: NSUserActivity) throws -> NSUserActivity {
  let sent = try activity.core.published()
  let received = try ControlActivity(parameters: sent.members)
  return NSUserActivity(ActivityCore(received, source: activity.core.id))
}
