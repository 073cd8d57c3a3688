import EventLoop
import Foundation

/// Asks the app for an activity's state: first its delegate on the activity's queue, then the responders and documents
/// on the main thread, and then the application's delegate.
enum SaveRound {
  /// - Parameter completion: Called once, when all of them have returned, or when nobody is left to ask.
  static func run(_ core: ActivityCore, completion: @escaping @Loop @Sendable () -> Void) {
    let finish: @Sendable () -> Void = { Task { @Loop in completion() } }
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return finish() }
      let hasObjects = core.hasAssociated
      // What responders do not add again is lost.
      if hasObjects { core.userInfo = [:] }
      // This comes first, so that the delegate can ask to be called again.
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
