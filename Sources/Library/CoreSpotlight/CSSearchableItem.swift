// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Search
import Synchronization
import VarlinkClient

/// Something in your app that people can find: a document, a message, a place.
///
/// When people open it, your app continues an activity of the type ``CSSearchableItemActionType``, whose `userInfo` has
/// the ``uniqueIdentifier`` under ``CSSearchableItemActivityIdentifier``.
open class CSSearchableItem: NSObject {
  private struct State {
    var uniqueIdentifier: String
    var domainIdentifier: String?
    var expirationDate: Date?
    var attributeSet: CSSearchableItemAttributeSet
  }

  private let state: Mutex<State>

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - uniqueIdentifier: The identifier of the item in your app, at most 1,024 bytes. A later item with the same
  ///     identifier replaces this one. Nil for a random one.
  ///   - domainIdentifier: A group of items that can be deleted together: labels separated by dots.
  ///   - attributeSet: The attributes that the item can be found by.
  public init(
    uniqueIdentifier: String?,
    domainIdentifier: String?,
    attributeSet: CSSearchableItemAttributeSet
  ) {
    state = Mutex(
      State(
        uniqueIdentifier: uniqueIdentifier ?? UUID().uuidString,
        domainIdentifier: domainIdentifier,
        attributeSet: attributeSet
      )
    )
    super.init()
  }

  /// The identifier of the item in your app.
  open var uniqueIdentifier: String {
    get { state.withLock { $0.uniqueIdentifier } }
    set { state.withLock { $0.uniqueIdentifier = newValue } }
  }

  /// The group of the item.
  open var domainIdentifier: String? {
    get { state.withLock { $0.domainIdentifier } }
    set { state.withLock { $0.domainIdentifier = newValue } }
  }

  /// When the item is deleted. Nil for 30 days after it was indexed or opened.
  open var expirationDate: Date! {
    get { state.withLock { $0.expirationDate } }
    set { state.withLock { $0.expirationDate = newValue } }
  }

  /// The attributes that the item can be found by.
  open var attributeSet: CSSearchableItemAttributeSet {
    get { state.withLock { $0.attributeSet } }
    set { state.withLock { $0.attributeSet = newValue } }
  }

  /// The entry of the index.
  var entry: SavedEntry {
    var entry = SavedEntry(identifier: uniqueIdentifier)
    attributeSet.searchAttributes.apply(to: &entry)
    (entry.relatedIdentifier, entry.isWeaklyRelated) = (nil, false)
    entry.domainIdentifier = domainIdentifier ?? entry.domainIdentifier
    entry.expirationDate = state.withLock { $0.expirationDate?.timeIntervalSince1970 }
    return entry
  }

  convenience init(_ entry: SavedEntry) {
    self.init(
      uniqueIdentifier: entry.identifier,
      domainIdentifier: entry.domainIdentifier,
      attributeSet: CSSearchableItemAttributeSet(entry)
    )
    expirationDate = entry.expirationDate.flatMap { Date.received($0 - Date.timeIntervalBetween1970AndReferenceDate) }
  }
}

// The lock makes it safe.
extension CSSearchableItem: @unchecked Sendable {}
