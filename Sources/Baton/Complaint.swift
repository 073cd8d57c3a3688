import Glibc

/// Writes a line on standard error, for what an app's developer should know and no call can return.
enum Complaint {
  /// Another machine wanted streams of an activity whose delegate does not take them.
  static func streamsWithoutDelegate(_ activity: NSUserActivity) {
    write(
      """
      A stream to \(activity.activityType) broke, because the activity's delegate does not implement \
      userActivity(_:didReceive:outputStream:).
      """
    )
  }

  static func write(_ text: String) {
    let line = Array("Baton: \(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
