import Activity
import JSONCoding

/// A value of an attribute, as expressions compare it.
enum AttributeValue: Equatable {
  case text(String)
  case number(Double)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
}

extension SavedEntry {
  /// Returns the values of an attribute of Core Spotlight, also by its name in Spotlight (`kMDItemTitle`). `*` and `**`
  /// are all attributes.
  func values(of attribute: String) -> [AttributeValue] {
    let name = Self.name(of: attribute)
    switch name {
    case "*", "**":
      let names = ["title", "contentDescription", "keywords", "textContent"]
      let others = attributes?.object?.keys.filter { !names.contains($0) } ?? []
      return (names + others).flatMap(values(ofAttribute:))
    default: return values(ofAttribute: name)
    }
  }

  private func values(ofAttribute name: String) -> [AttributeValue] {
    switch name {
    case "title" where title != nil: return Self.texts(title)
    case "contentDescription" where contentDescription != nil: return Self.texts(contentDescription)
    case "keywords": return keywords.map(AttributeValue.text)
    case "textContent" where textContent != nil: return Self.texts(textContent)
    case "identifier", "uniqueIdentifier": return [.text(identifier)]
    case "domainIdentifier": return Self.texts(domainIdentifier)
    case "relatedUniqueIdentifier" where relatedIdentifier != nil: return Self.texts(relatedIdentifier)
    case "expirationDate": return expirationDate.map { [.date($0 - Moment.epoch)] } ?? []
    case "displayName" where attributes?.object?[name] == nil: return Self.texts(title)
    default:
      guard let json = attributes?.object?[name], let value = try? UserInfoValue(json: json) else { return [] }
      return Self.values(of: value)
    }
  }

  private static func texts(_ text: String?) -> [AttributeValue] { text.map { [.text($0)] } ?? [] }

  private static func values(of value: UserInfoValue) -> [AttributeValue] {
    switch value {
    case .null, .data: []
    case .bool(let value): [.number(value ? 1 : 0)]
    case .integer(let value): [.number(Double(value))]
    case .unsigned(let value): [.number(Double(value))]
    case .double(let value): [.number(value)]
    case .date(let value): [.date(value)]
    case .string(let value), .url(let value): [.text(value)]
    case .uuid: texts(value.json.object?["$uuid"]?.string)
    case .array(let values): values.flatMap(Self.values)
    case .set(let values): values.flatMap(Self.values)
    case .dictionary(let pairs): pairs.values.flatMap(Self.values)
    }
  }

  /// The name in Core Spotlight of an attribute that has another one in Spotlight.
  private static func name(of attribute: String) -> String {
    let prefix = "kMDItem"
    guard attribute.hasPrefix(prefix) else { return attribute }
    let name = attribute.dropFirst(prefix.count)
    switch name {
    case "Description": return "contentDescription"
    case "FSName": return "displayName"
    case "DomainIdentifier": return "domainIdentifier"
    case "URL": return "URL"
    default: return name.prefix(1).lowercased() + name.dropFirst()
    }
  }
}
