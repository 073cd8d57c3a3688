import Foundation

/// The key in an activity's `userInfo` of the file URL of the document that the user works on.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// What the documents of UIKit (``UIDocument``) and of AppKit (``UserActivityDocument``) have in common.
@preconcurrency @MainActor
open class UserActivityDocumentObject: NSObject, UserActivityRestoring, UserActivityUpdating, NSUserActivityDelegate {
  /// UIKit's name for the key ``NSUserActivityDocumentURLKey``.
  public nonisolated class var userActivityURLKey: String { NSUserActivityDocumentURLKey }

  nonisolated private let association = ActivityAssociation()

  var file: URL? {
    didSet { if file != oldValue { fileChanged() } }
  }

  init(_ file: URL?) {
    self.file = file
    super.init()
    // Observers are not called in initializers.
    if file != nil { fileChanged() }
  }

  deinit { association.end(ObjectIdentifier(self)) }

  private func fileChanged() {
    if userActivity == nil, let type = file.flatMap({ DeclaredTypes.ofDocument($0.pathExtension) }) {
      let activity = NSUserActivity(activityType: type)
      activity.title = file?.deletingPathExtension().lastPathComponent
      userActivity = activity
    }
    userActivity?.needsSave = true
  }

  /// The activity of working on this document. Nil for none.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set { if newValue !== association.activity { association.set(newValue, self) } }
  }

  /// Adds the file URL to `activity.userInfo`. If you override this, call it.
  open func updateUserActivityState(_ activity: NSUserActivity) {
    guard let file else { return }
    SaveRound.adding { activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: file]) }
  }

  /// Restores the state of an activity that was continued. Does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Ends the work on the document, and invalidates its activity.
  open func close() {
    userActivity?.invalidate()
    userActivity = nil
  }

  open nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {}

  open nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {}

  open nonisolated func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {}

  open nonisolated func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Complaint.write("\(userActivity.activityType) is not offered: \(error.localizedDescription)")
  }
}
