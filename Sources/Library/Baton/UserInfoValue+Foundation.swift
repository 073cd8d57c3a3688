// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// A value in a `userInfo` that cannot be sent.
package struct IllegalValue: Error, CustomStringConvertible {
  /// The keys that lead to it.
  var path: [String]
  let type: String

  package var description: String {
    "userInfo[\(path.joined(separator: "]["))] is a \(type); Handoff accepts strings, numbers, Bool, Data, Date, URL, "
      + "UUID, NSNull, arrays, sets and dictionaries of them"
  }
}

/// An optional used as a value, as in `["id": item.id as Any]`. As with Apple's bridge, it counts as the value that it
/// wraps, and nil as null.
private protocol OptionalValue {
  var wrappedOrNull: Any { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedOrNull: Any { self ?? NSNull() as Any }
}

extension UserInfoValue {
  /// Creates a value from one of the ten kinds that `NSUserActivity.userInfo` accepts, as a Swift type or as a
  /// Foundation class.
  ///
  /// - Throws: `IllegalValue`.
  package init(_ value: Any) throws(IllegalValue) {
    if let value = Self.scalar(value) ?? Self.object(value) {
      self = value
    } else if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      try self.init(value.base)
    } else if let value = value as? any OptionalValue {
      try self.init(value.wrappedOrNull)
    } else if let elements = Self.elements(value) {
      var values: [UserInfoValue] = []
      for (index, element) in elements.enumerated() { values.append(try Self.value(element, at: index)) }
      self = .array(values)
    } else if let elements = Self.members(value) {
      var values: Set<UserInfoValue> = []
      for element in elements { values.insert(try Self.hashed(element)) }
      self = .set(values)
    } else if let pairs = Self.pairs(value) {
      self = .dictionary(try Self.dictionary(pairs))
    } else {
      throw IllegalValue(path: [], type: "\(type(of: value))")
    }
  }

  /// - Throws: `IllegalValue`.
  static func dictionary(_ pairs: [AnyHashable: Any]) throws(IllegalValue) -> [UserInfoValue: UserInfoValue] {
    var values: [UserInfoValue: UserInfoValue] = [:]
    for (key, value) in pairs {
      values[try Self.hashed(key.base)] = try Self.value(value, at: key.base)
    }
    return values
  }

  /// A key or a member of a set, which arrives only if it is `hashable`.
  private static func hashed(_ value: Any) throws(IllegalValue) -> UserInfoValue {
    let result = try Self.value(value, at: value)
    guard result.hashable != nil else {
      throw IllegalValue(path: [name(of: value)], type: "\(type(of: value)), and a key or a member of a set")
    }
    return result
  }

  private static func value(_ value: Any, at key: Any) throws(IllegalValue) -> UserInfoValue {
    do {
      return try UserInfoValue(value)
    } catch {
      throw IllegalValue(path: [name(of: key)] + error.path, type: error.type)
    }
  }

  /// A key or a member, for people. Foundation traps if it describes a date that is not a number, so dates, and what
  /// may contain them, are called by their types.
  private static func name(of key: Any) -> String {
    let isDate = key is Date || key is NSDate
    return isDate || elements(key) != nil || members(key) != nil || pairs(key) != nil ? "\(type(of: key))" : "\(key)"
  }

  // A cast would turn an NSNumber of 1 into `true`, so Swift's own types are checked first, and exactly.
  private static func scalar(_ value: Any) -> UserInfoValue? {
    switch type(of: value) {
    case is Bool.Type: return (value as? Bool).map { .bool($0) }
    case is any BinaryInteger.Type: return (value as? any BinaryInteger).flatMap { Self.number($0) }
    case is Double.Type, is Float.Type, is CGFloat.Type:
      return (value as? any BinaryFloatingPoint).map { .double(Double($0)) }
    case is Decimal.Type: return (value as? Decimal).map { .double(NSDecimalNumber(decimal: $0).doubleValue) }
    case is String.Type, is Substring.Type: return (value as? any StringProtocol).map { .string(String($0)) }
    case is Data.Type: return (value as? Data).map { .data(Array($0)) }
    case is Date.Type: return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case is URL.Type: return (value as? URL).map { .url($0.absoluteString) }
    case is UUID.Type: return (value as? UUID).map { Self.value($0) }
    default: return nil
    }
  }

  private static func number(_ value: some BinaryInteger) -> UserInfoValue? {
    Int64(exactly: value).map(Self.integer) ?? UInt64(exactly: value).map(Self.unsigned)
  }

  private static func value(_ uuid: UUID) -> UserInfoValue { withUnsafeBytes(of: uuid.uuid) { .uuid(Array($0)) } }

  private static func object(_ value: Any) -> UserInfoValue? {
    guard type(of: value) is AnyClass else { return nil }
    switch value {
    case is NSNull: return .null
    case let value as NSString: return .string(String(describing: value))
    case let value as NSNumber: return number(value)
    case let value as NSData: return .data(Array(Data(referencing: value)))
    case let value as NSDate: return .date(value.timeIntervalSinceReferenceDate)
    case let value as NSURL: return .url(value.absoluteString)
    case let value as NSUUID: return UUID(uuidString: value.uuidString).map { Self.value($0) }
    default: return nil
    }
  }

  private static func number(_ value: NSNumber) -> UserInfoValue? {
    // Foundation keeps booleans in their own class.
    if type(of: value) == type(of: NSNumber(value: true)) { return .bool(value.boolValue) }
    switch String(cString: value.objCType) {
    case "d", "f": return .double(value.doubleValue)
    case "Q", "L": return number(value.uint64Value)
    default: return .integer(value.int64Value)
    }
  }

  private static func elements(_ value: Any) -> [Any]? {
    value as? [Any] ?? (value as? NSArray).map(Array.init)
  }

  private static func members(_ value: Any) -> [Any]? {
    if let value = value as? Set<AnyHashable> { return value.map(\.base) }
    return (value as? NSSet)?.allObjects
  }

  private static func pairs(_ value: Any) -> [AnyHashable: Any]? {
    if let value = value as? [AnyHashable: Any] { return value }
    guard let value = value as? NSDictionary else { return nil }
    var pairs: [AnyHashable: Any] = [:]
    for (key, element) in value {
      guard let key = key as? AnyHashable else { return nil }
      pairs[key] = element
    }
    return pairs
  }
}

extension UserInfoValue {
  /// The value as an app receives it. Numbers are `NSNumber`, so `as? Int`, `as? Double` and `as? Bool` work as on
  /// Apple's platforms.
  package var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .array(let elements): elements.map(\.foundation)
    case .dictionary(let pairs): Self.foundation(pairs)
    case .set(let elements): Set(Self.distinct(elements).map(\.1))
    default: hashable?.base ?? NSNull()
    }
  }

  static func foundation(_ pairs: [UserInfoValue: UserInfoValue]) -> [AnyHashable: Any] {
    Dictionary(distinct(pairs.keys).map { ($1, pairs[$0]?.foundation ?? NSNull()) }) { first, _ in first }
  }
}

extension Date {
  /// The seconds since the reference date within which Foundation can describe a date and calculate with it: some
  /// 30,000 years.
  private static let range = -1e12...1e12

  /// Returns the date that another machine sent, in seconds since the reference date. Foundation traps if it describes
  /// others, so a date beyond is the last one, and what is not a number is no date.
  package static func received(_ seconds: Double) -> Date? {
    guard !seconds.isNaN else { return nil }
    return Date(timeIntervalSinceReferenceDate: min(max(seconds, range.lowerBound), range.upperBound))
  }
}
