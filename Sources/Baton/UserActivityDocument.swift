import Foundation

/// In an activity's `userInfo`: the file URL of the document that is worked on.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// A document that takes part in activities, as `UIDocument` and `NSDocument` do: its activity carries the document's file URL.
///
/// A file in a shared folder (batond.conf(5)) arrives as the same document on the other machine.
///
/// The activity is made when the document has a file whose extension is among `CFBundleTypeExtensions` of a document type with
/// `NSUbiquitousDocumentUserActivityType` in the app's Info.plist, or when the app sets one. It never becomes current by itself.
@MainActor
open class UserActivityDocument: NSObject, UserActivityRestoring, UserActivityUpdating, NSUserActivityDelegate {
  /// The key that ``NSUserActivityDocumentURLKey`` is in UIKit's spelling.
  public nonisolated class var userActivityURLKey: String { NSUserActivityDocumentURLKey }

  nonisolated private let association = ActivityAssociation()

  /// Makes a document that has no file yet.
  public override init() { super.init() }

  /// Makes a document of a file.
  ///
  /// - Parameter url: Where the document is.
  public required init(fileURL url: URL) {
    super.init()
    fileURL = url
    // Observers are not called in initializers.
    fileURLChanged()
  }

  deinit { association.end(ObjectIdentifier(self)) }

  /// Where the document is; nil while it was not saved. A change marks the activity as to be saved.
  open var fileURL: URL? {
    didSet { if fileURL != oldValue { fileURLChanged() } }
  }

  private func fileURLChanged() {
    if userActivity == nil, let type = fileURL.flatMap({ ActivityTypes.ofDocument($0.pathExtension) }) {
      let activity = NSUserActivity(activityType: type)
      activity.title = fileURL?.deletingPathExtension().lastPathComponent
      userActivity = activity
    }
    userActivity?.needsSave = true
  }

  /// The activity of working on this document; nil for none.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set { if newValue !== association.activity { association.set(newValue, self) } }
  }

  /// Puts the file URL into `activity.userInfo`. Those who override it call it.
  open func updateUserActivityState(_ activity: NSUserActivity) {
    guard let fileURL else { return }
    activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: fileURL])
  }

  /// Takes the state of an activity that was continued. Does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Ends work on the document: its activity is invalidated.
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
