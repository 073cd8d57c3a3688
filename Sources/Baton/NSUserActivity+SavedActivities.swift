import Foundation

// Saved activities are those of a search index and of predictions. There is neither, so there is nothing to delete.
extension NSUserActivity {
  /// Deletes the saved activities with these identifiers.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: What the activities have as ``persistentIdentifier``.
  ///   - handler: Called afterwards on a background queue.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
    completionHandler handler: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().async(execute: handler)
  }

  /// Deletes the saved activities with these identifiers.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
  ) async {}

  /// Deletes all saved activities of the app.
  ///
  /// - Parameter handler: Called afterwards on a background queue.
  public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: handler)
  }

  /// Deletes all saved activities of the app.
  public class func deleteAllSavedUserActivities() async {}
}
