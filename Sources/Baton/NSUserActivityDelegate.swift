import Foundation

/// What an activity tells its app. All methods may be left out.
///
/// Each is called on a background queue that belongs to the activity, one at a time and in order; never on the main thread.
///
/// > Important: Swift on Linux binds a protocol's methods where a class declares its conformance. A method that only a
/// > *subclass* of the conforming class adds is never called. Declare the methods in the conforming class and `override`
/// > them, or inherit from ``UserActivityDelegateObject``, which has them all.
public protocol NSUserActivityDelegate: AnyObject {
  /// Another machine is about to get the state, and `needsSave` was set: put the state in now. What the activity holds when this returns
  /// is sent. After 1 s the last known state is sent without it.
  func userActivityWillSave(_ userActivity: NSUserActivity)

  /// It was continued on another machine, and is not offered any more.
  func userActivityWasContinued(_ userActivity: NSUserActivity)

  /// The app that continued it asked for streams. They are not open; open both at once.
  func userActivity(_ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)

  /// It could not be offered, and why: a `CocoaError` whose description says what to do. Not in Apple's API.
  ///
  /// Without this method a line on standard error says so. A daemon that is not running is no failure: the activity is
  /// offered when there is one.
  func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error)
}

extension NSUserActivityDelegate {
  public func userActivityWillSave(_ userActivity: NSUserActivity) {}

  public func userActivityWasContinued(_ userActivity: NSUserActivity) {}

  public func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {}

  public func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Complaint.write("\(userActivity.activityType) is not offered: \(error.localizedDescription)")
  }
}

/// A base class for delegates whose subclasses add methods: all methods are here, to be overridden.
open class UserActivityDelegateObject: NSObject, NSUserActivityDelegate {
  open func userActivityWillSave(_ userActivity: NSUserActivity) {}

  open func userActivityWasContinued(_ userActivity: NSUserActivity) {}

  open func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {}

  open func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Complaint.write("\(userActivity.activityType) is not offered: \(error.localizedDescription)")
  }
}
