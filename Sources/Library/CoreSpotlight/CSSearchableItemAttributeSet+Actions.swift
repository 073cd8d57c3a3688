// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What people can do with the item in Spotlight. It is kept and has no effect.
extension CSSearchableItemAttributeSet {
  /// The app's names for actions.
  public var actionIdentifiers: [String] {
    get { self[attribute: "actionIdentifiers"] ?? [] }
    set { self[attribute: "actionIdentifiers"] = newValue }
  }

  /// The types of data that the app would deliver when the item is dragged.
  public var providerDataTypeIdentifiers: [String]? {
    get { self[attribute: "providerDataTypeIdentifiers"] }
    set { self[attribute: "providerDataTypeIdentifiers"] = newValue }
  }

  /// The types of files that it would copy.
  public var providerFileTypeIdentifiers: [String]? {
    get { self[attribute: "providerFileTypeIdentifiers"] }
    set { self[attribute: "providerFileTypeIdentifiers"] = newValue }
  }

  /// The types of files that it would give access to.
  public var providerInPlaceFileTypeIdentifiers: [String]? {
    get { self[attribute: "providerInPlaceFileTypeIdentifiers"] }
    set { self[attribute: "providerInPlaceFileTypeIdentifiers"] = newValue }
  }
}
