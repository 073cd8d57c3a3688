// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension UserInfoValue {
  /// The value in the JSON form that the control interface, the wire and files share (ControlInterface.md, "userInfo").
  /// Equal values have equal forms.
  package var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): JSON(value)
    case .double(let value): Self.isPlain(value) ? .double(value) : ["$double": .string(Self.text(of: value))]
    case .string(let value): .string(value)
    case .data(let bytes): ["$data": .string(Base64.encode(bytes))]
    case .date(let seconds):
      ["$date": Self.isPlain(seconds) ? .double(seconds) : .string(Self.text(of: seconds))]
    case .url(let text): ["$url": .string(text)]
    case .uuid(let bytes): ["$uuid": .string(UUIDText.text(of: bytes))]
    case .array(let elements): .array(elements.map(\.json))
    case .set(let elements): ["$set": .array(Self.sorted(elements.map(\.json)))]
    case .dictionary(let pairs): Self.json(of: pairs)
    }
  }

  /// - Throws: `Reason.userInfoInvalid` if the form is wrong.
  package init(json: JSON) throws(Reason) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(try elements.map { json throws(Reason) in try Self(json: json) })
    case .object(let members):
      if members.count == 1, let (key, value) = members.first, key.isTag {
        self = try Self(tag: key, value)
      } else {
        var pairs: [UserInfoValue: UserInfoValue] = [:]
        for (key, value) in members {
          guard !key.isTag else { throw .userInfoInvalid }
          pairs[.string(key.unescaped)] = try Self(json: value)
        }
        self = .dictionary(pairs)
      }
    }
  }

  private init(tag: String, _ value: JSON) throws(Reason) {
    switch (tag, value) {
    case ("$double", .string(let text)): self = .double(try Self.double(text))
    case ("$data", .string(let text)):
      guard let bytes = Base64.decode(text) else { throw .userInfoInvalid }
      self = .data(bytes)
    case ("$date", .string(let text)): self = .date(try Self.double(text))
    case ("$date", _):
      guard let seconds = value.number else { throw .userInfoInvalid }
      self = .date(seconds)
    case ("$url", .string(let text)): self = .url(text)
    case ("$uuid", .string(let text)):
      guard let bytes = UUIDText.bytes(of: text) else { throw .userInfoInvalid }
      self = .uuid(bytes)
    case ("$set", .array(let elements)):
      let values = Set(try elements.map { json throws(Reason) in try Self(json: json) })
      guard values.count == elements.count else { throw .userInfoInvalid }
      self = .set(values)
    case ("$dictionary", .array(let elements)):
      var pairs: [UserInfoValue: UserInfoValue] = [:]
      for element in elements {
        guard let pair = element.array, pair.count == 2 else { throw .userInfoInvalid }
        guard pairs.updateValue(try Self(json: pair[1]), forKey: try Self(json: pair[0])) == nil else {
          throw .userInfoInvalid
        }
      }
      self = .dictionary(pairs)
    default: throw .userInfoInvalid
    }
  }

  private static func json(of pairs: [UserInfoValue: UserInfoValue]) -> JSON {
    var members: [String: JSON] = [:]
    for (key, value) in pairs {
      // `String` considers two names that look the same to be equal. A dictionary with such names is written as pairs,
      // too.
      guard case .string(let name) = key, members.updateValue(value.json, forKey: name.escaped) == nil else {
        return ["$dictionary": .array(sorted(pairs.map { .array([$0.key.json, $0.value.json]) }))]
      }
    }
    return .object(members)
  }

  private static func sorted(_ values: [JSON]) -> [JSON] {
    values.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// Whether other JSON programs return the number as the same `Double`. Many write 1.0 as 1, and JSON has no NaN.
  private static func isPlain(_ value: Double) -> Bool { value.isFinite && value.rounded(.towardZero) != value }

  private static func text(of value: Double) -> String {
    value.isNaN ? "nan:" + String(value.bitPattern, radix: 16) : String(value)
  }

  /// Reads a decimal number, `inf`, `-inf`, `nan`, or `nan:` and the bits in hexadecimal digits.
  private static func double(_ text: String) throws(Reason) -> Double {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default:
      if let digits = text.rest(afterBytesOf: "nan:"), let bits = UInt64(digits, radix: 16),
        Double(bitPattern: bits).isNaN
      {
        return Double(bitPattern: bits)
      }
      guard text.utf8.allSatisfy(Set("+-.0123456789Ee".utf8).contains), let value = Double(text), value.isFinite else {
        throw .userInfoInvalid
      }
      return value
    }
  }
}

/// Keys of objects. They are compared by their code points, because to `String` a `$` with a combining accent is not a
/// `$`.
extension String {
  var isTag: Bool { utf8.starts(with: "$".utf8) && !utf8.starts(with: "$$".utf8) }

  var escaped: String { utf8.starts(with: "$".utf8) ? "$" + self : self }

  fileprivate var unescaped: String {
    utf8.starts(with: "$".utf8) ? String(String.UnicodeScalarView(unicodeScalars.dropFirst())) : self
  }
}
