// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A document that has a file and takes part in activities, like UIKit's. It is a ``UserActivityDocument`` in all other
/// respects.
@preconcurrency @MainActor
open class UIDocument: UserActivityDocumentObject {
  private let initial: URL

  /// Creates a document for a file.
  ///
  /// - Parameter url: The location of the document.
  public init(fileURL url: URL) {
    initial = url
    super.init(url)
  }

  /// The location of the document. A change sets `needsSave` of the activity.
  open var fileURL: URL {
    get { file ?? initial }
    set { file = newValue }
  }
}
