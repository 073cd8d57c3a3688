// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Documents.
extension CSSearchableItemAttributeSet {
  /// What the document is about.
  public var subject: String? {
    get { self[attribute: "subject"] }
    set { self[attribute: "subject"] = newValue }
  }

  /// The theme of the document.
  public var theme: String? {
    get { self[attribute: "theme"] }
    set { self[attribute: "theme"] = newValue }
  }

  /// The headline of the document.
  public var headline: String? {
    get { self[attribute: "headline"] }
    set { self[attribute: "headline"] = newValue }
  }

  /// How to use the document.
  public var instructions: String? {
    get { self[attribute: "instructions"] }
    set { self[attribute: "instructions"] = newValue }
  }

  /// For whom the document is.
  public var audiences: [String]? {
    get { self[attribute: "audiences"] }
    set { self[attribute: "audiences"] = newValue }
  }

  /// The size of the file in megabytes.
  public var fileSize: NSNumber? {
    get { self[attribute: "fileSize"] }
    set { self[attribute: "fileSize"] = newValue }
  }

  /// The number of pages.
  public var pageCount: NSNumber? {
    get { self[attribute: "pageCount"] }
    set { self[attribute: "pageCount"] = newValue }
  }

  /// The width of a page in points.
  public var pageWidth: NSNumber? {
    get { self[attribute: "pageWidth"] }
    set { self[attribute: "pageWidth"] = newValue }
  }

  /// The height of a page in points.
  public var pageHeight: NSNumber? {
    get { self[attribute: "pageHeight"] }
    set { self[attribute: "pageHeight"] = newValue }
  }

  /// How the document is encrypted.
  public var securityMethod: String? {
    get { self[attribute: "securityMethod"] }
    set { self[attribute: "securityMethod"] = newValue }
  }

  /// The programs that wrote the file.
  public var encodingApplications: [String]? {
    get { self[attribute: "encodingApplications"] }
    set { self[attribute: "encodingApplications"] = newValue }
  }

  /// The fonts of the document.
  public var fontNames: [String]? {
    get { self[attribute: "fontNames"] }
    set { self[attribute: "fontNames"] = newValue }
  }
}
