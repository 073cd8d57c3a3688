// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of a custom attribute.
public final class CSCustomAttributeKey: NSObject, Sendable {
  /// The name.
  public let keyName: String
  /// Whether people can find the item by it. It has no effect here.
  public let isSearchable: Bool
  /// Whether there are only a few distinct values. It has no effect here.
  public let isUnique: Bool
  /// Whether there can be more than one value. It has no effect here.
  public let isMultiValued: Bool

  /// Creates a key. Nil if the name is empty.
  public convenience init?(keyName: String) {
    self.init(keyName: keyName, searchable: true, searchableByDefault: false, unique: false, multiValued: false)
  }

  /// Creates a key. Nil if the name is empty.
  public init?(keyName: String, searchable: Bool, searchableByDefault: Bool, unique: Bool, multiValued: Bool) {
    guard !keyName.isEmpty else { return nil }
    self.keyName = keyName
    isSearchable = searchable
    isUnique = unique
    isMultiValued = multiValued
    super.init()
  }
}
