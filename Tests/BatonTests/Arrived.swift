// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Varlink

@testable import Baton

/// Returns the activity as an app on another machine receives it.
func arrived(_ activity: NSUserActivity) throws -> NSUserActivity {
  let sent = try activity.core.published()
  let received = try ControlActivity(parameters: sent.members)
  return NSUserActivity(ActivityCore(received, source: activity.core.id))
}
