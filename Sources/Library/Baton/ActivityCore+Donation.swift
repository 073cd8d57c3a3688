// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import Search
import VarlinkClient

extension ActivityCore {
  /// What the search index keeps of the activity. Nil if it may not keep anything.
  func donation() -> SavedEntry? {
    let (contents, attributes, userInfo) = searchState
    let isEligible =
      contents.isEligibleForSearch || contents.isEligibleForPublicIndexing
      || contents.isEligibleForPrediction
    guard isEligible, var record = try? ActivityRecord(id: id, activityType: activityType) else { return nil }
    record.title = contents.title
    record.webpageURL = contents.webpageURL?.absoluteString
    record.referrerURL = contents.referrerURL?.absoluteString
    record.targetContentIdentifier = contents.targetContentIdentifier
    record.persistentIdentifier = contents.persistentIdentifier
    record.userInfo = Self.kept(userInfo, contents)
    guard let record = try? record.repaired().validated() else { return nil }
    var entry = SavedEntry(identifier: Self.identifier(record, contents.persistentIdentifier))
    attributes?.apply(to: &entry)
    entry.title = record.title ?? entry.title
    // Those of both, in an order that does not change.
    let words = contents.keywords.sorted().map { $0.prefix(utf8Count: Limits.keywordLength) }
    entry.keywords = Array((words + entry.keywords.filter { !words.contains($0) }).prefix(Limits.keywords))
    entry.activity = record
    entry.expirationDate = contents.expirationDate?.timeIntervalSince1970
    entry.isEligibleForSearch = contents.isEligibleForSearch
    // Apple asks for one of the two.
    entry.isEligibleForPublicIndexing =
      contents.isEligibleForPublicIndexing && (contents.webpageURL != nil || contents.requiredUserInfoKeys != nil)
    entry.isEligibleForPrediction = contents.isEligibleForPrediction
    return try? entry.repaired().validated()
  }

  /// The part of `userInfo` that is needed to restore the activity later: that of the required keys, or everything if
  /// they are nil. An activity with a page needs nothing else unless it requires keys.
  private static func kept(_ userInfo: [UserInfoValue: UserInfoValue], _ contents: ActivityContents) -> UserInfo {
    var values = userInfo
    if let keys = contents.requiredUserInfoKeys {
      values = values.filter { key, _ in if case .string(let name) = key { keys.contains(name) } else { false } }
    } else if contents.webpageURL != nil {
      values = [:]
    }
    return (try? UserInfo(json: UserInfoValue.dictionary(values).json)) ?? .empty
  }

  /// What distinguishes the activity from the others of its app, also when the app runs the next time.
  private static func identifier(_ record: ActivityRecord, _ persistent: String?) -> String {
    if let persistent { return persistent }
    if let page = record.webpageURL { return "page:\(page)".prefix(utf8Count: Limits.entryIdentifierLength) }
    let contents = [record.activityType, record.title ?? "", record.userInfo.json.text].joined(separator: "\0")
    return "contents:" + StableHash.text(of: contents)
  }
}
