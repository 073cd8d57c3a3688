import Foundation

/// What the index asks of an app when it has lost what the app gave it. The methods are called on a background queue.
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
  /// Called when the app must index everything again.
  ///
  /// - Parameters:
  ///   - searchableIndex: The index that needs it.
  ///   - acknowledgementHandler: Call it when that is done. Until then, the index asks again at the next start.
  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
  )

  /// Called when the app must index some items again. Nothing here calls it.
  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexSearchableItemsWithIdentifiers identifiers: [String],
    acknowledgementHandler: @escaping () -> Void
  )

  /// Called when the index cannot be used for a while. Nothing here calls it.
  func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

  /// Called when the index can be used again. Nothing here calls it.
  func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)
}

extension CSSearchableIndexDelegate {
  public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}
  public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}
}
