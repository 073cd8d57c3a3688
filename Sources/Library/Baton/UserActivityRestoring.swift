/// An object on which an activity can be restored. An app passes such objects to the restoration handler.
@preconcurrency @MainActor
public protocol UserActivityRestoring: AnyObject {
  /// Restores the state of an activity that was continued. Called on the main thread.
  func restoreUserActivityState(_ activity: NSUserActivity)
}
