// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The key of the document's file URL in an activity's `userInfo`.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// The common part of UIKit's documents (``UIDocument``) and AppKit's (``UserActivityDocument``).
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

  /// The activity for this document, if any.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set { if newValue !== association.activity { association.set(newValue, self) } }
  }

  /// Adds the file URL to `activity.userInfo`. If you override this, call super.
  open func updateUserActivityState(_ activity: NSUserActivity) {
    guard let file else { return }
    SaveRound.adding { activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: file]) }
  }

  /// Restores the state of an activity that was continued. Does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Closes the document, and invalidates its activity.
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
    Complaint.write("\(userActivity.activityType) isn't offered: \(error.localizedDescription)")
  }
}
