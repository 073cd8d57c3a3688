// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Passes what a receiver on the main queue reports to the delegate of the application, or to that of its scene.
final class ApplicationAdapter: UserActivityReceiverDelegate, Sendable {
  func receiver(_ receiver: UserActivityReceiver, willContinueUserActivityWithType userActivityType: String) -> Bool {
    MainActor.assumeIsolated {
      let application = UserActivityApplication.shared
      if let scene = application.receivingScene {
        scene.delegate?.scene(scene, willContinueUserActivityWithType: userActivityType)
        return false
      }
      return application.delegate?.application(application, willContinueUserActivityWithType: userActivityType) ?? false
    }
  }

  func receiver(_ receiver: UserActivityReceiver, continue userActivity: NSUserActivity) -> Bool {
    nonisolated(unsafe) let activity = userActivity
    return MainActor.assumeIsolated {
      let application = UserActivityApplication.shared
      if let handler = application.handlers[activity.activityType] {
        handler(activity)
        return true
      }
      if let scene = application.receivingScene {
        scene.delegate?.scene(scene, continue: activity)
        return true
      }
      let handler: ([any UserActivityRestoring]?) -> Void = { objects in
        for object in objects ?? [] { object.restoreUserActivityState(activity) }
      }
      return application.delegate?.application(application, continue: activity, restorationHandler: handler) ?? false
    }
  }

  func receiver(
    _ receiver: UserActivityReceiver,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    MainActor.assumeIsolated {
      let application = UserActivityApplication.shared
      if let scene = application.receivingScene {
        scene.delegate?.scene(scene, didFailToContinueUserActivityWithType: userActivityType, error: error)
        return
      }
      guard let delegate = application.delegate else { return Complaint.couldNotContinue(userActivityType, error) }
      delegate.application(application, didFailToContinueUserActivityWithType: userActivityType, error: error)
    }
  }
}
