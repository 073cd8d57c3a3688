// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A document that takes part in activities, like `NSDocument`. Its activity contains the document's
/// file URL.
///
/// A file in a shared folder (batond.conf(5)) arrives as the same document on the other machine.
///
/// When the document gets a file, it also gets an activity if the app's Info.plist describes a suitable document type.
/// Such a type has the file's extension in `CFBundleTypeExtensions`, and an `NSUbiquitousDocumentUserActivityType`. The
/// app can also set an activity. It never becomes current automatically.
@preconcurrency @MainActor
open class UserActivityDocument: UserActivityDocumentObject {
  /// Creates a document that has no file yet.
  public init() { super.init(nil) }

  /// Creates a document for a file.
  ///
  /// - Parameter url: The location of the document.
  public init(fileURL url: URL) { super.init(url) }

  /// The location of the document. Nil until it is saved. A change sets `needsSave` of the activity.
  open var fileURL: URL? {
    get { file }
    set { file = newValue }
  }
}
