// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import Search

extension CSSearchableItemAttributeSet {
  /// Creates the attributes of an entry of the index.
  convenience init(_ entry: SavedEntry) {
    var values: [String: UserInfoValue] = [:]
    if let json = entry.attributes, case .dictionary(let pairs) = try? UserInfoValue(json: json) {
      for case (.string(let name), let value) in pairs { values[name] = value }
    }
    values["title"] = entry.title.map(UserInfoValue.string)
    values["contentDescription"] = entry.contentDescription.map(UserInfoValue.string)
    values["textContent"] = entry.textContent.map(UserInfoValue.string)
    values["domainIdentifier"] = entry.domainIdentifier.map(UserInfoValue.string)
    if !entry.keywords.isEmpty { values["keywords"] = .array(entry.keywords.map(UserInfoValue.string)) }
    self.init(values, thumbnailData: entry.thumbnailData.flatMap(Base64.decode).map { Data($0) })
  }
}
