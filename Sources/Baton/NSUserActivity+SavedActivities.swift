import Foundation

// Saved activities belong to a search index and to predictions. Neither exists here, so there is nothing to delete.
extension NSUserActivity {
  /// Deletes the saved activities with these identifiers. There are none on Linux.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The ``persistentIdentifier`` of each activity.
  ///   - handler: Called afterwards on a background queue.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
    completionHandler handler: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().async(execute: handler)
  }

  /// Deletes the saved activities with these identifiers. There are none on Linux.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
  ) async {}

  /// Deletes all saved activities of the app. There are none on Linux.
  ///
  /// - Parameter handler: Called afterwards on a background queue.
  public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: handler)
  }

  /// Deletes all saved activities of the app. There are none on Linux.
  public class func deleteAllSavedUserActivities() async {}
}
