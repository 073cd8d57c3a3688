// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The attributes of an entry that an expression can name.
struct EntryAttributes {
  /// What can be compared with something.
  enum Value {
    case text(String)
    /// A number, a truth value, or a date in seconds since 2001-01-01 00:00:00 UTC.
    case number(Double)
  }

  private let entry: SavedEntry

  init(_ entry: SavedEntry) { self.entry = entry }

  /// The values of an attribute. An attribute that is not there has none. That of an array are its elements.
  func values(of attribute: String) -> [Value] {
    if SearchExpression.allAttributes.contains(attribute) {
      return Self.names.flatMap { named($0) } + others().flatMap { Self.values(of: $0) }
    }
    if Self.names.contains(attribute) { return named(attribute) }
    return others(named: attribute).flatMap { Self.values(of: $0) }
  }

  private static let names = [
    "title", "contentDescription", "keywords", "textContent", "uniqueIdentifier", "domainIdentifier",
    "relatedUniqueIdentifier", "expirationDate",
  ]

  private func named(_ name: String) -> [Value] {
    let text: String? =
      switch name {
      case "title": entry.title
      case "contentDescription": entry.contentDescription
      case "textContent": entry.textContent
      case "uniqueIdentifier": entry.identifier
      case "domainIdentifier": entry.domainIdentifier
      case "relatedUniqueIdentifier": entry.relatedIdentifier
      default: nil
      }
    if let text { return [.text(text)] }
    switch name {
    case "keywords": return entry.keywords.map(Value.text)
    // Checked: these are `Double`s.
    case "expirationDate": return entry.expirationDate.map { [.number($0 - LocalTime.reference)] } ?? []
    default: return []
    }
  }

  /// The values of an attribute that only queries find, or of all of them.
  private func others(named name: String? = nil) -> [JSON] {
    guard let members = entry.attributes?.object else { return [] }
    // This is the form of names that look the same.
    guard let pairs = members["$dictionary"]?.array else {
      return name.map { members[$0].map { [$0] } ?? [] } ?? Array(members.values)
    }
    return pairs.compactMap { pair in
      guard let pair = pair.array, pair.count == 2, let key = pair.first?.string, name ?? key == key else { return nil }
      return pair.last
    }
  }

  private static func values(of json: JSON) -> [Value] {
    guard let value = try? UserInfoValue(json: json) else { return [] }
    return values(of: value)
  }

  private static func values(of value: UserInfoValue) -> [Value] {
    switch value {
    case .string(let text), .url(let text): [.text(text)]
    case .bool(let isTrue): [.number(isTrue ? 1 : 0)]
    case .integer(let number): [.number(Double(number))]
    case .unsigned(let number): [.number(Double(number))]
    case .double(let number), .date(let number): [.number(number)]
    case .array(let elements): elements.flatMap { values(of: $0) }
    case .set(let elements): elements.flatMap { values(of: $0) }
    case .null, .data, .uuid, .dictionary: []
    }
  }
}
