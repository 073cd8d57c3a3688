// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Search
import VarlinkClient

// Activities that were eligible for search or prediction are in the user's search index. If no agent serves one, the
// app does not wait for it. An agent that starts within 10 minutes, while the app runs, still deletes them.
extension NSUserActivity {
  /// Deletes the saved activities with these identifiers.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The ``persistentIdentifier`` of each activity.
  ///   - handler: Called on a background queue when they can no longer be found, or if no index answers.
  @preconcurrency
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
    completionHandler handler: @escaping @Sendable () -> Void
  ) {
    delete(handler) { $0.persistentIdentifiers = persistentIdentifiers }
  }

  /// Deletes the saved activities with these identifiers.
  ///
  /// - Parameter persistentIdentifiers: The ``persistentIdentifier`` of each activity.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
  ) async {
    await withCheckedContinuation { continuation in
      deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) { continuation.resume() }
    }
  }

  /// Deletes all saved activities of the app.
  ///
  /// - Parameter handler: Called on a background queue when they can no longer be found, or if no index answers.
  @preconcurrency
  public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
    delete(handler) { $0.allActivities = true }
  }

  /// Deletes all saved activities of the app.
  public class func deleteAllSavedUserActivities() async {
    await withCheckedContinuation { continuation in deleteAllSavedUserActivities { continuation.resume() } }
  }

  private class func delete(
    _ handler: @escaping @Sendable () -> Void,
    _ set: (inout DeleteEntries.Parameters) -> Void
  ) {
    var parameters = DeleteEntries.Parameters(application: ApplicationIdentifier.current)
    set(&parameters)
    let change = IndexChange.delete(parameters)
    Task { @Loop in
      IndexQueue.shared.add(change, finally: { SeparateWork.begin(handler) })
    }
  }
}
