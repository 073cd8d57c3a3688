// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface

/// Converts `userInfo` between the form that this machine's programs use and the one that is sent.
extension ControlActivity {
  /// The form that is sent. The limits apply to it.
  func outward(_ folders: SharedFolders) -> ControlActivity {
    var activity = self
    activity.userInfo = userInfo.map(folders.outward)
    return activity
  }

  /// The form that this machine's programs get.
  func inward(_ folders: SharedFolders) -> ControlActivity {
    var activity = self
    activity.userInfo = userInfo.map(folders.inward)
    return activity
  }
}
