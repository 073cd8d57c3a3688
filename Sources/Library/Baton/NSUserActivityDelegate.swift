// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The methods that an activity calls to inform its app. All of them are optional.
///
/// They are called on a background queue that belongs to the activity, one at a time and in order, and never on the
/// main thread.
///
/// > Important: Swift on Linux binds a protocol's methods where a class declares its conformance. A method that only a
/// > *subclass* of the conforming class adds is never called. Declare the methods in the conforming class and
/// > `override` them, or inherit from ``UserActivityDelegateObject``, which implements them all.
public protocol NSUserActivityDelegate: AnyObject {
  /// Called when another machine is about to get the state and `needsSave` was set: update the state now. The contents
  /// of the activity when this returns are sent. After 3 s, the last known state, if any, is sent instead.
  func userActivityWillSave(_ userActivity: NSUserActivity)

  /// Called when the activity was continued on another machine. It is no longer offered.
  func userActivityWasContinued(_ userActivity: NSUserActivity)

  /// Called when the app that continued the activity has requested streams. They aren't open yet. Open or close each of
  /// them immediately. If one is released before it is closed, the stream breaks for both apps.
  ///
  /// Without this method, the stream breaks, and a line on standard error explains why.
  func userActivity(_ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)

  /// Called when the activity couldn't be offered. The `CocoaError` contains the reason, and its description explains
  /// what to do. Apple's API doesn't have this method.
  ///
  /// Without this method, a line on standard error reports the failure. It isn't a failure if no daemon is running: the
  /// activity is offered as soon as one starts.
  func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error)
}

extension NSUserActivityDelegate {
  public func userActivityWillSave(_ userActivity: NSUserActivity) {}

  public func userActivityWasContinued(_ userActivity: NSUserActivity) {}

  public func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) { Complaint.streamsWithoutDelegate(userActivity) }

  public func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Complaint.write("\(userActivity.activityType) isn't offered: \(error.localizedDescription)")
  }
}

/// A base class for delegates whose subclasses add methods. It implements all the methods, so that they can be
/// overridden.
open class UserActivityDelegateObject: NSObject, NSUserActivityDelegate {
  open func userActivityWillSave(_ userActivity: NSUserActivity) {}

  open func userActivityWasContinued(_ userActivity: NSUserActivity) {}

  open func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) { Complaint.streamsWithoutDelegate(userActivity) }

  open func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Complaint.write("\(userActivity.activityType) isn't offered: \(error.localizedDescription)")
  }
}
