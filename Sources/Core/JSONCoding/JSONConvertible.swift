// SPDX-License-Identifier: Apache-2.0

/// A type whose values convert themselves from and to JSON.
package protocol JSONConvertible: Codable {
  /// Nil if the value is not of this type.
  init?(json: JSON)

  var json: JSON { get }
}

extension JSONConvertible {
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder, let value = Self(json: decoder.value) else {
      throw UnexpectedValue()
    }
    self = value
  }

  package func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else { throw UnexpectedValue() }
    encoder.scalar = json
  }
}

extension JSON: JSONConvertible {
  package init(json: JSON) { self = json }
  package var json: JSON { self }
}

extension String: JSONConvertible {
  package init?(json: JSON) {
    guard let value = json.string else { return nil }
    self = value
  }

  package var json: JSON { .string(self) }
}

extension Bool: JSONConvertible {
  package init?(json: JSON) {
    guard let value = json.bool else { return nil }
    self = value
  }

  package var json: JSON { .bool(self) }
}

extension Double: JSONConvertible {
  package init?(json: JSON) {
    guard let value = json.number else { return nil }
    self = value
  }

  package var json: JSON { .double(self) }
}

extension Float: JSONConvertible {
  package init?(json: JSON) {
    guard let value = json.number else { return nil }
    self.init(value)
  }

  package var json: JSON { .double(Double(self)) }
}

extension FixedWidthInteger {
  /// An integer of this range, even if it was written as a whole `Double`; see ``JSON/int64``.
  package init?(json: JSON) {
    if let value = json.int64.flatMap(Self.init(exactly:)) ?? json.uint64.flatMap(Self.init(exactly:)) {
      self = value
    } else {
      return nil
    }
  }

  package var json: JSON { Int64(exactly: self).map(JSON.integer) ?? JSON(UInt64(clamping: self)) }
}

extension Int: JSONConvertible {}
extension Int8: JSONConvertible {}
extension Int16: JSONConvertible {}
extension Int32: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt: JSONConvertible {}
extension UInt8: JSONConvertible {}
extension UInt16: JSONConvertible {}
extension UInt32: JSONConvertible {}
extension UInt64: JSONConvertible {}
