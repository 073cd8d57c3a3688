// SPDX-License-Identifier: Apache-2.0

/// An object that can restore an activity. An app passes such objects to the restoration handler.
@preconcurrency @MainActor
public protocol UserActivityRestoring: AnyObject {
  /// Restores the state of an activity that was continued. Called on the main thread.
  func restoreUserActivityState(_ activity: NSUserActivity)
}
