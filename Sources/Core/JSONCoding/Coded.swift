// SPDX-License-Identifier: Apache-2.0

/// How a member of a structure is coded if it is not coded as its type is, for example because it has a default.
package protocol MemberCoding {
  associatedtype Value: Equatable, Sendable

  /// - Parameter json: Nil if the member is absent or null.
  /// - Returns: Nil if the member is not allowed.
  static func decode(_ json: JSON?) -> Value?

  /// - Returns: Nil to leave the member out. Beside a `JSON`, the literal `nil` is `JSON.null`, so write `.none`.
  static func encode(_ value: Value) -> JSON?
}

/// A member of a structure with a coding of its own.
@propertyWrapper
package struct Coded<Coding: MemberCoding>: Codable, Equatable, Sendable {
  package var wrappedValue: Coding.Value

  package init(wrappedValue: Coding.Value) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    guard let value = Coding.decode(try JSON(from: decoder)) else { throw UnexpectedValue() }
    wrappedValue = value
  }

  package func encode(to encoder: any Encoder) throws { try (Coding.encode(wrappedValue) ?? .null).encode(to: encoder) }
}

extension Coded: Hashable where Coding.Value: Hashable {}

// The coding that the compiler makes calls these.
extension KeyedDecodingContainer {
  package func decode<Coding>(_: Coded<Coding>.Type, forKey key: Key) throws -> Coded<Coding> {
    guard let value = Coding.decode(try decodeIfPresent(JSON.self, forKey: key)) else {
      throw InvalidParameter(key.stringValue)
    }
    return Coded(wrappedValue: value)
  }
}

extension KeyedEncodingContainer {
  package mutating func encode<Coding>(_ member: Coded<Coding>, forKey key: Key) throws {
    if let json = Coding.encode(member.wrappedValue) { try encode(json, forKey: key) }
  }
}
