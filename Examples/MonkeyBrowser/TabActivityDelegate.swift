// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// Handles the callbacks of a tab's activity, which come on a background queue that belongs to the activity. The tabs
/// live on the main thread.
final class TabActivityDelegate: NSUserActivityDelegate, Sendable {
  private let kind: TabKind
  // The application lives as long as the process.
  private unowned let application: BrowserApplication

  init(_ kind: TabKind, of application: BrowserApplication) {
    self.kind = kind
    self.application = application
  }

  /// Adds the place on the page now, and only now, because another machine is about to get the state. It is fine to
  /// wait for the main thread here. If that takes more than a second, the last known state is sent.
  func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.userInfo = application.tabFromAnyThread(kind).state.userInfo
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) {
    application.tellFromAnyThread(.continuedElsewhere(kind))
  }

  /// Reports the failure. Without this method, a line on standard error would report it, in the middle of the screen.
  func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    application.tellFromAnyThread(.notOffered(kind, error.localizedDescription))
  }

  /// Sends the history, because the machine that continued the tab requests it.
  func userActivity(_ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream) {
    inputStream.open()
    outputStream.open()
    // The other machine has nothing to send to us.
    inputStream.close()
    let history = application.tabFromAnyThread(kind).history
    // Writing blocks for as long as the other machine is slow. So it must not happen on this queue, where the activity
    // has more to report. Nothing else uses the stream from here on.
    nonisolated(unsafe) let output = outputStream
    DispatchQueue.global().async {
      // If the stream breaks, the other machine tells its person. Nothing is lost here.
      try? HistoryStream.write(history, to: output)
      output.close()
    }
  }
}
