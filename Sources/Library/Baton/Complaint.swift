// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Writes a line on standard error, for what an app's developer should know and no call can return.
package enum Complaint {
  /// What is said once for each activity, because other machines decide how often it happens.
  enum Kind {
    case untakenStream, stuckMainThread
  }

  /// Another machine wanted streams of an activity, and nothing takes them.
  static func streamsWithoutDelegate(_ activity: NSUserActivity) {
    guard activity.core.isFirst(.untakenStream) else { return }
    let cause =
      activity.delegate == nil
      ? "activity has no delegate" : "activity's delegate doesn't implement userActivity(_:didReceive:outputStream:)"
    write("A stream to \(activity.activityType) broke, because the \(cause).")
  }

  /// The main thread has a run loop in apps with windows, and none in a command-line tool that only waits.
  static func mainThreadIsStuck(_ core: ActivityCore) {
    guard core.isFirst(.stuckMainThread) else { return }
    write(
      """
      Responders and documents weren't asked for the state of \(core.activityType), because the main thread isn't \
      running its queue. Call RunLoop.main.run() or dispatchMain().
      """
    )
  }

  /// A view that is not shown yet is no mistake, so this comes late.
  static func responderOutsideOfChain(_ core: ActivityCore) {
    write(
      """
      \(core.activityType) isn't offered, because its responder isn't in the first responder's chain. Call \
      becomeFirstResponder(), or the activity's becomeCurrent().
      """
    )
  }

  /// A continuation has failed, and the app has no delegate that wants to know.
  static func couldNotContinue(_ type: String, _ error: any Error) {
    guard (error as? CocoaError)?.code != .userCancelled else { return }
    write("\(type) couldn't be continued: \(error.localizedDescription)")
  }

  package static func write(_ text: String) {
    let line = Array("Baton: \(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
