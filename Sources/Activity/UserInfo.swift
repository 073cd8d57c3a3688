import JSON

/// A value of one of the ten kinds that `NSUserActivity.userInfo` may hold.
package indirect enum UserInfoValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC, as Foundation's `Date` stores: the one number that comes back exactly.
  case date(Double)
  case url(String)
  /// 16 bytes.
  case uuid([UInt8])
  case array([UserInfoValue])
  case set(Set<UserInfoValue>)
  case dictionary([UserInfoValue: UserInfoValue])
}

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

  /// - Throws: `Reason.userInfoInvalid` where the form is broken.
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
      if members.count == 1, let (key, value) = members.first, key.hasPrefix("$"), !key.hasPrefix("$$") {
        self = try Self(tag: key, value)
      } else {
        var pairs: [UserInfoValue: UserInfoValue] = [:]
        for (key, value) in members {
          guard !key.hasPrefix("$") || key.hasPrefix("$$") else { throw .userInfoInvalid }
          pairs[.string(key.hasPrefix("$") ? String(key.dropFirst()) : key)] = try Self(json: value)
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
      self = .set(Set(try elements.map { json throws(Reason) in try Self(json: json) }))
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
      guard case .string(let name) = key else {
        return ["$dictionary": .array(sorted(pairs.map { .array([$0.key.json, $0.value.json]) }))]
      }
      members[name.hasPrefix("$") ? "$" + name : name] = value.json
    }
    return .object(members)
  }

  private static func sorted(_ values: [JSON]) -> [JSON] {
    values.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// Whether other JSON programs give the number back as the same `Double`: many write 1.0 as 1, and JSON has no NaN.
  private static func isPlain(_ value: Double) -> Bool { value.isFinite && value.rounded(.towardZero) != value }

  private static func text(of value: Double) -> String {
    value.isNaN ? "nan:" + String(value.bitPattern, radix: 16) : String(value)
  }

  private static func double(_ text: String) throws(Reason) -> Double {
    if text.hasPrefix("nan:"), let bits = UInt64(text.dropFirst(4), radix: 16), Double(bitPattern: bits).isNaN {
      return Double(bitPattern: bits)
    }
    guard let value = Double(text) else { throw .userInfoInvalid }
    return value
  }
}

/// The small state of an activity: at most `Limits.userInfoLength` bytes as encoded, and known to be well formed.
package struct UserInfo: Hashable, Sendable {
  /// The encoded form: always an object.
  package let json: JSON

  package static let empty = UserInfo()

  private init() { json = .object([:]) }

  /// Checks the form and the size, and keeps the canonical form.
  ///
  /// - Throws: `Reason.userInfoInvalid`, `Reason.userInfoTooLarge`.
  package init(json: JSON) throws(Reason) {
    guard case .dictionary(let pairs) = try UserInfoValue(json: json) else { throw .userInfoInvalid }
    try self.init(pairs)
  }

  /// - Throws: `Reason.userInfoTooLarge`.
  package init(_ pairs: [UserInfoValue: UserInfoValue]) throws(Reason) {
    json = UserInfoValue.dictionary(pairs).json
    guard json.bytes.count <= Limits.userInfoLength else { throw .userInfoTooLarge }
  }

  /// The values, of the types they had where they were published.
  ///
  /// - Throws: never for a `UserInfo` that was made from valid input; the form was checked then.
  package func values() throws(Reason) -> [UserInfoValue: UserInfoValue] {
    guard case .dictionary(let pairs) = try UserInfoValue(json: json) else { throw .userInfoInvalid }
    return pairs
  }
}
