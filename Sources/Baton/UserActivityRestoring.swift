/// An object that an activity can be restored on: what an app gives to the restoration handler.
@MainActor
public protocol UserActivityRestoring: AnyObject {
  /// Takes the state of an activity that was continued. On the main thread.
  func restoreUserActivityState(_ activity: NSUserActivity)
}
