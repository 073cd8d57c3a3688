// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The requests that the index makes of an app when it has lost the app's items. The methods are called on a background
/// queue.
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
  /// Called when the app must reindex everything.
  ///
  /// - Parameters:
  ///   - searchableIndex: The index that needs it.
  ///   - acknowledgementHandler: Call it when you have finished. Until then, the index asks again at each start.
  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
  )

  /// Called when the app must reindex some items. Nothing here calls it.
  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexSearchableItemsWithIdentifiers identifiers: [String],
    acknowledgementHandler: @escaping () -> Void
  )

  /// Called when the index is temporarily unavailable. Nothing here calls it.
  func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

  /// Called when the index is available again. Nothing here calls it.
  func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)
}

extension CSSearchableIndexDelegate {
  public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}
  public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}
}
