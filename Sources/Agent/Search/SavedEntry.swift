// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What the index keeps of one activity or of one item of an app.
package struct SavedEntry: Structure {
  /// The app's name of it, among its activities or its items.
  package var identifier: String
  /// Labels that are separated by dots. Entries of one domain are deleted together.
  package var domainIdentifier: String?
  /// Of an activity: the item that it shows.
  package var relatedIdentifier: String?
  /// Of an activity: whether it stays when that item is deleted.
  @Coded<FalseByDefault> package var isWeaklyRelated: Bool
  package var title: String?
  package var contentDescription: String?
  @Coded<Keywords> package var keywords: [String]
  package var textContent: String?
  /// Other attributes, by their names in Core Spotlight, in the encoding of `userInfo`.
  @Coded<JSONObject?> package var attributes: JSON?
  /// An image in base 64.
  package var thumbnailData: String?
  /// Nil if this is an item. Its `userInfo` is what is needed to restore it.
  package var activity: ActivityRecord?
  /// In seconds since 1970-01-01 00:00:00 UTC. Nil for the usual time.
  package var expirationDate: Double?
  @Coded<FalseByDefault> package var isEligibleForSearch: Bool
  @Coded<FalseByDefault> package var isEligibleForPublicIndexing: Bool
  @Coded<FalseByDefault> package var isEligibleForPrediction: Bool

  package init(identifier: String) {
    self.identifier = identifier
    isWeaklyRelated = false
    keywords = []
    isEligibleForSearch = false
    isEligibleForPublicIndexing = false
    isEligibleForPrediction = false
  }

  /// Whether people find it.
  package var isSearchable: Bool { activity == nil || isEligibleForSearch || isEligibleForPublicIndexing }

  /// Returns the entry with texts that are not too long, and with a title on one line.
  package func repaired() -> SavedEntry {
    var entry = self
    entry.title = title.map(ActivityRecord.repairedTitle)
    entry.contentDescription = contentDescription?.prefix(utf8Count: Limits.entryDescriptionLength)
    entry.textContent = textContent?.prefix(utf8Count: Limits.entryTextLength)
    entry.keywords = keywords.prefix(Limits.keywords).map { $0.prefix(utf8Count: Limits.keywordLength) }
    entry.activity = activity?.repaired()
    return entry
  }

  /// Checks lengths and numbers.
  ///
  /// - Throws: The first part that is too long or not allowed.
  package func validated() throws(EntryLimit) -> SavedEntry {
    try EntryLimit.check("identifier", identifier, Limits.entryIdentifierLength, isRequired: true)
    try EntryLimit.check("domainIdentifier", domainIdentifier, Limits.entryIdentifierLength)
    try EntryLimit.check("relatedIdentifier", relatedIdentifier, Limits.entryIdentifierLength)
    try EntryLimit.check("title", title, Limits.titleLength)
    try EntryLimit.check("contentDescription", contentDescription, Limits.entryDescriptionLength)
    try EntryLimit.check("textContent", textContent, Limits.entryTextLength)
    guard keywords.count <= Limits.keywords else { throw EntryLimit(parameter: "keywords", limit: Limits.keywords) }
    for keyword in keywords { try EntryLimit.check("keywords", keyword, Limits.keywordLength) }
    if let attributes, attributes.bytes.count > Limits.entryAttributesLength {
      throw EntryLimit(parameter: "attributes", limit: Limits.entryAttributesLength)
    }
    // Base 64 takes four bytes for three.
    try EntryLimit.check("thumbnailData", thumbnailData, (Limits.thumbnailLength + 2) / 3 * 4)
    if let expirationDate, !expirationDate.isFinite { throw EntryLimit(parameter: "expirationDate", limit: 0) }
    guard json.bytes.count <= Limits.entryLength else {
      throw EntryLimit(parameter: "entries", limit: Limits.entryLength)
    }
    return self
  }

  /// An array of strings that is absent if it is empty.
  package enum Keywords: MemberCoding {
    package static func decode(_ json: JSON?) -> [String]? {
      guard let json else { return [] }
      guard let elements = json.array else { return nil }
      let words = elements.compactMap(\.string)
      return words.count == elements.count ? words : nil
    }

    package static func encode(_ value: [String]) -> JSON? {
      value.isEmpty ? .none : .some(.array(value.map(JSON.string)))
    }
  }
}

/// A part of an entry that is too long, or not allowed.
package struct EntryLimit: Error, Equatable, Sendable {
  package let parameter: String
  /// In bytes, or a number of elements. Zero if the value itself is not allowed.
  package let limit: Int

  package init(parameter: String, limit: Int) {
    self.parameter = parameter
    self.limit = limit
  }

  /// - Parameter isRequired: Whether the text must not be empty.
  package static func check(
    _ parameter: String,
    _ text: String?,
    _ limit: Int,
    isRequired: Bool = false
  ) throws(EntryLimit) {
    guard let text else { return }
    if text.utf8.count > limit || isRequired && text.isEmpty { throw EntryLimit(parameter: parameter, limit: limit) }
  }
}
