// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the item belongs to, such as a series of books.
extension CSSearchableItemAttributeSet {
  /// The title of the container that the item belongs to.
  public var containerTitle: String? {
    get { self[attribute: "containerTitle"] }
    set { self[attribute: "containerTitle"] = newValue }
  }

  /// A name of it for people.
  public var containerDisplayName: String? {
    get { self[attribute: "containerDisplayName"] }
    set { self[attribute: "containerDisplayName"] = newValue }
  }

  /// The app's name for it.
  public var containerIdentifier: String? {
    get { self[attribute: "containerIdentifier"] }
    set { self[attribute: "containerIdentifier"] = newValue }
  }

  /// The position of the item in its container.
  public var containerOrder: NSNumber? {
    get { self[attribute: "containerOrder"] }
    set { self[attribute: "containerOrder"] = newValue }
  }
}
