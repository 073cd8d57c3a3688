// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// An app's search attributes of an activity or an item: a `CSSearchableItemAttributeSet` as a value.
package struct SearchAttributes: Equatable, Sendable {
  package var title: String?
  package var contentDescription: String?
  package var keywords: [String] = []
  package var textContent: String?
  package var thumbnailData: [UInt8]?
  package var domainIdentifier: String?
  package var relatedUniqueIdentifier: String?
  /// Whether an activity stays when its item is deleted.
  package var isWeaklyRelated = false
  /// All other attributes, by their names.
  package var others: [String: UserInfoValue] = [:]

  package init() {}

  /// Sets what the entry keeps of the attributes. Texts that are too long are cut, because an app cannot do anything
  /// about them when it is donated in the background.
  package func apply(to entry: inout SavedEntry) {
    entry.title = title.map { $0.prefix(utf8Count: Limits.titleLength) }
    entry.contentDescription = contentDescription.map { $0.prefix(utf8Count: Limits.entryDescriptionLength) }
    entry.keywords = keywords.prefix(Limits.keywords).map { $0.prefix(utf8Count: Limits.keywordLength) }
    entry.textContent = textContent.map { $0.prefix(utf8Count: Limits.entryTextLength) }
    if let thumbnailData, thumbnailData.count <= Limits.thumbnailLength {
      entry.thumbnailData = Base64.encode(thumbnailData)
    }
    entry.domainIdentifier = domainIdentifier
    entry.relatedIdentifier = relatedUniqueIdentifier
    entry.isWeaklyRelated = isWeaklyRelated
    guard !others.isEmpty else { return }
    let json = UserInfoValue.dictionary(
      Dictionary(uniqueKeysWithValues: others.map { (UserInfoValue.string($0.key), $0.value) })
    ).json
    if json.bytes.count <= Limits.entryAttributesLength { entry.attributes = json }
  }
}

/// An app's object with the attributes that an activity can be found by.
package protocol SearchAttributeSource: AnyObject, Sendable {
  var searchAttributes: SearchAttributes { get }
}
