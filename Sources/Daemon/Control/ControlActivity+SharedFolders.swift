import Activity
import ControlInterface

/// A `userInfo` between the form of this machine's programs and the one that travels.
extension ControlActivity {
  /// As it travels; the limits are of this form.
  func outward(_ folders: SharedFolders) -> ControlActivity {
    var activity = self
    activity.userInfo = userInfo.map(folders.outward)
    return activity
  }

  /// As this machine's programs get it.
  func inward(_ folders: SharedFolders) -> ControlActivity {
    var activity = self
    activity.userInfo = userInfo.map(folders.inward)
    return activity
  }
}
