// SPDX-License-Identifier: Apache-2.0

/// Writes a Swift value as a JSON value. Nested containers and encoders of superclasses are not supported.
final class ValueEncoder: Encoder {
  /// The members, if the value is an object.
  fileprivate(set) var members: [String: JSON] = [:]
  /// The elements, if the value is an array.
  fileprivate var elements: [JSON]?
  /// The value, if it is neither.
  var scalar: JSON?

  var value: JSON { scalar ?? elements.map(JSON.array) ?? .object(members) }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ObjectWriter(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    elements = []
    return ArrayWriter(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ValueWriter(encoder: self) }

  static func value(_ value: some Encodable) throws -> JSON {
    let encoder = ValueEncoder()
    try value.encode(to: encoder)
    return encoder.value
  }
}

private struct ObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { encoder.members[key.stringValue] = .null }
  func encode(_ value: some JSONConvertible, forKey key: Key) { encoder.members[key.stringValue] = value.json }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.members[key.stringValue] = try ValueEncoder.value(value)
  }

  func nestedContainer<Nested>(keyedBy _: Nested.Type, forKey _: Key) -> KeyedEncodingContainer<Nested> {
    unsupported()
  }
  func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer { unsupported() }
  func superEncoder() -> any Encoder { unsupported() }
  func superEncoder(forKey _: Key) -> any Encoder { unsupported() }
}

private struct ArrayWriter: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.elements?.count ?? 0 }

  func encodeNil() { encoder.elements?.append(.null) }
  func encode(_ value: some JSONConvertible) { encoder.elements?.append(value.json) }
  func encode(_ value: some Encodable) throws { encoder.elements?.append(try ValueEncoder.value(value)) }

  func nestedContainer<Key>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> { unsupported() }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unsupported() }
  func superEncoder() -> any Encoder { unsupported() }
}

private struct ValueWriter: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { encoder.scalar = .null }
  func encode(_ value: some JSONConvertible) { encoder.scalar = value.json }
  func encode(_ value: some Encodable) throws { encoder.scalar = try ValueEncoder.value(value) }
}

private func unsupported() -> Never { preconditionFailure("A structure is encoded by its members only") }
