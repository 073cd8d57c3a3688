import Baton
import Foundation

/// What a tab's activity tells, on a background queue that belongs to the activity. The tabs live on the main thread.
final class TabActivityDelegate: NSUserActivityDelegate, Sendable {
  private let kind: TabKind
  // The application lives as long as the process.
  private unowned let application: BrowserApplication

  init(_ kind: TabKind, of application: BrowserApplication) {
    self.kind = kind
    self.application = application
  }

  /// Another machine is about to get the state: now, and only now, the place on the page is put in. Waiting for the main
  /// thread is right here; if that takes more than a second, the last known state is sent.
  func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.userInfo = application.tabFromAnyThread(kind).state.userInfo
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) {
    application.tellFromAnyThread(.continuedElsewhere(kind))
  }

  /// Without this method a line on standard error says so, in the middle of the screen.
  func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    application.tellFromAnyThread(.notOffered(kind, error.localizedDescription))
  }

  /// The machine that continued the tab asks for more.
  func userActivity(_ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream) {
    inputStream.open()
    outputStream.open()
    // It has nothing to say to us.
    inputStream.close()
    let history = application.tabFromAnyThread(kind).history
    // Writing blocks as long as the other machine is slow: not on this queue, where the activity has more to tell.
    // Nobody else uses the stream from here on.
    nonisolated(unsafe) let output = outputStream
    DispatchQueue.global().async {
      // That it broke, the other machine says to its person; here nothing is lost.
      try? HistoryStream.write(history, to: output)
      output.close()
    }
  }
}
