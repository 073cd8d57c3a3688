import Foundation

/// The key in an activity's `userInfo` of the file URL of the document that the user works on.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// A document that takes part in activities, like `UIDocument` and `NSDocument`. Its activity contains the document's
/// file URL.
///
/// A file in a shared folder (batond.conf(5)) arrives as the same document on the other machine.
///
/// When the document gets a file, it also gets an activity if the app's Info.plist describes a suitable document type.
/// Such a type has the file's extension in `CFBundleTypeExtensions`, and an `NSUbiquitousDocumentUserActivityType`. The
/// app can also set an activity. It never becomes current automatically.
@preconcurrency @MainActor
open class UserActivityDocument: NSObject, UserActivityRestoring, UserActivityUpdating, NSUserActivityDelegate {
  /// UIKit's name for the key ``NSUserActivityDocumentURLKey``.
  public nonisolated class var userActivityURLKey: String { NSUserActivityDocumentURLKey }

  nonisolated private let association = ActivityAssociation()

  /// Creates a document that has no file yet.
  public override init() { super.init() }

  /// Creates a document for a file.
  ///
  /// - Parameter url: The location of the document.
  public init(fileURL url: URL) {
    super.init()
    fileURL = url
    // Observers are not called in initializers.
    fileURLChanged()
  }

  deinit { association.end(ObjectIdentifier(self)) }

  /// The location of the document. Nil until it is saved. A change sets `needsSave` of the activity.
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

  /// The activity of working on this document. Nil for none.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set { if newValue !== association.activity { association.set(newValue, self) } }
  }

  /// Adds the file URL to `activity.userInfo`. If you override this, call it.
  open func updateUserActivityState(_ activity: NSUserActivity) {
    guard let fileURL else { return }
    SaveRound.adding { activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: fileURL]) }
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
