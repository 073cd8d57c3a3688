import EventLoop
import Foundation

/// Asks the app for an activity's state: its delegate on the activity's queue, then the responders and documents on the main
/// thread, then the application's delegate.
enum SaveRound {
  /// - Parameter completion: Called once, when all of them have returned, or there is nobody to be asked any more.
  static func run(_ core: ActivityCore, completion: @escaping @Loop @Sendable () -> Void) {
    let finish: @Sendable () -> Void = { Task { @Loop in completion() } }
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return finish() }
      let hasObjects = core.hasAssociated
      // What responders do not put in again is not there any more.
      if hasObjects { core.userInfo = [:] }
      // First, so that the delegate may ask to be asked again.
      core.change { $0.needsSave = false }
      core.delegate?.userActivityWillSave(activity)
      guard hasObjects else { return finish() }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          guard let activity = core.activity else { return }
          for object in core.associated { object.updateUserActivityState(activity) }
          UserActivityApplication.shared.didUpdate(activity)
        }
        finish()
      }
    }
  }
}
