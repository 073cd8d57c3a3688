// SPDX-License-Identifier: Apache-2.0

/// Reads a Swift value from a JSON value. An error in a member is `InvalidParameter` with the member's name. It does
/// not say what is wrong inside the member. Nested containers and decoders of superclasses are not supported.
final class ValueDecoder: Decoder {
  let value: JSON
  /// The names of the members that were requested; nil if nobody wants to know.
  private(set) var names: Set<String>?

  init(_ value: JSON, notesNames: Bool = false) {
    self.value = value
    names = notesNames ? [] : nil
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw UnexpectedValue() }
    return KeyedDecodingContainer(ObjectReader(members: members, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw UnexpectedValue() }
    return ArrayReader(elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ValueReader(value: value) }

  fileprivate func note(_ name: String) { names?.insert(name) }
}

/// The members of an object.
private struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSON]
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

  /// Returns the value of a member. Null is as if the member were absent.
  private func value(_ key: Key) -> JSON? {
    let name = key.stringValue
    decoder.note(name)
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  private func required<T>(_ value: T?, _ key: Key) throws -> T {
    guard let value else { throw InvalidParameter(key.stringValue) }
    return value
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }

  func decodeNil(forKey key: Key) -> Bool { value(key) == nil }

  func decode<T: JSONConvertible>(_ type: T.Type, forKey key: Key) throws -> T {
    try required(value(key).flatMap(T.init(json:)), key)
  }

  func decodeIfPresent<T: JSONConvertible>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = value(key) else { return nil }
    return try required(T(json: value), key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try required(try decodeIfPresent(type, forKey: key), key)
  }

  func decodeIfPresent<T: Decodable>(_: T.Type, forKey key: Key) throws -> T? {
    guard let value = value(key) else { return nil }
    do { return try T(from: ValueDecoder(value)) } catch { throw InvalidParameter(key.stringValue) }
  }

  func nestedContainer<Nested>(keyedBy _: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    throw InvalidParameter(key.stringValue)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw InvalidParameter(key.stringValue)
  }
  func superDecoder() throws -> any Decoder { throw UnexpectedValue() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw InvalidParameter(key.stringValue) }
}

/// The elements of an array, one after the other.
private struct ArrayReader: UnkeyedDecodingContainer {
  let elements: [JSON]
  // Checked currentIndex: at most elements.count.
  private(set) var currentIndex = 0

  init(elements: [JSON]) { self.elements = elements }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private mutating func next() throws -> JSON {
    guard !isAtEnd else { throw UnexpectedValue() }
    currentIndex += 1
    return elements[currentIndex - 1]
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: JSONConvertible>(_: T.Type) throws -> T { try ValueReader(value: try next()).decode(T.self) }

  mutating func decode<T: Decodable>(_: T.Type) throws -> T { try T(from: ValueDecoder(try next())) }

  func nestedContainer<Key>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> { throw UnexpectedValue() }
  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw UnexpectedValue() }
  func superDecoder() throws -> any Decoder { throw UnexpectedValue() }
}

/// One value.
private struct ValueReader: SingleValueDecodingContainer {
  let value: JSON

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { value.isNull }

  func decode<T: JSONConvertible>(_: T.Type) throws -> T {
    guard let value = T(json: value) else { throw UnexpectedValue() }
    return value
  }

  func decode<T: Decodable>(_: T.Type) throws -> T { try T(from: ValueDecoder(value)) }
}

/// A value does not have the expected type. The code that decodes a member adds the member's name.
struct UnexpectedValue: Error {}
