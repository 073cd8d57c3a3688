// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259). It keeps what Foundation's decoders lose: whether a number was written as an integer, and
/// the whole range of `UInt64`. Duplicate keys are refused.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent, from `Int64.min` to `Int64.max`.
  case integer(Int64)
  /// A number written without fraction and exponent, above `Int64.max`. ``init(_:)`` creates it.
  case unsigned(UInt64)
  /// Any other number. JSON has no infinity and no NaN, so they are written as `null`.
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Creates the value in its only representation: `.unsigned` only above `Int64.max`.
  package init(_ value: UInt64) {
    self = Int64(exactly: value).map(JSON.integer) ?? .unsigned(value)
  }

  package var isNull: Bool { if case .null = self { true } else { false } }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  package var string: String? { if case .string(let value) = self { value } else { nil } }

  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  package var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }

  /// The value of an integer, even if it was written as a whole `Double` (`1.0`, `1e0`). systemd writes some that way.
  package var int64: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a non-negative integer; see ``int64``.
  package var uint64: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .double(let value): UInt64(exactly: value)
    default: nil
    }
  }

  /// The value of any number, rounded to the nearest `Double`.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
