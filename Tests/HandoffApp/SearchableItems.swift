// SPDX-License-Identifier: Apache-2.0

import CoreSpotlight
import Foundation

/// What the app does with Core Spotlight.
enum SearchableItems {
  /// Indexes an item for each identifier, all with the same title, and reports when that is done.
  static func index(_ identifiers: [String], title: String) {
    let items = identifiers.map { identifier in
      let attributes = CSSearchableItemAttributeSet(itemContentType: "public.text")
      attributes.title = title
      attributes.keywords = [identifier]
      return CSSearchableItem(uniqueIdentifier: identifier, domainIdentifier: "items", attributeSet: attributes)
    }
    CSSearchableIndex.default().indexSearchableItems(items) { report("indexed", $0) }
  }

  static func delete(_ identifiers: [String]) {
    CSSearchableIndex.default().deleteSearchableItems(withIdentifiers: identifiers) { report("deletedItems", $0) }
  }

  /// Reports the identifiers of the items that match.
  static func query(_ text: String) {
    let query = CSSearchQuery(queryString: text, queryContext: CSSearchQueryContext())
    Task {
      do {
        var identifiers: [String] = []
        for try await result in query.results { identifiers.append(result.item.uniqueIdentifier) }
        Report.write("found", ["identifiers": identifiers.sorted()])
      } catch {
        report("found", error)
      }
    }
  }

  private static func report(_ callback: String, _ error: (any Error)?) {
    Report.write(callback, error.map(Report.members(of:)) ?? [:])
  }
}
