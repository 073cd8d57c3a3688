import Foundation

extension NSUserActivity {
  /// Why a payload cannot be set or had.
  public enum TypedPayloadError: Error {
    /// It is no dictionary of property list values.
    case encodingError
    /// ``NSUserActivity/userInfo`` does not hold one.
    case invalidContent
  }

  /// Puts the payload into ``userInfo``: its coding keys become keys there.
  ///
  /// - Throws: `TypedPayloadError.encodingError`, and what its encoding throws.
  public func setTypedPayload<T: Codable>(_ payload: T) throws {
    let data = try PropertyListEncoder().encode(payload)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let entries = list as? [String: Any] else { throw TypedPayloadError.encodingError }
    addUserInfoEntries(from: entries)
  }

  /// The payload that ``userInfo`` holds.
  ///
  /// - Throws: `TypedPayloadError.invalidContent` where there is none of this type.
  public func typedPayload<T: Codable>(_ type: T.Type) throws -> T {
    var list: [String: Any] = [:]
    // What others have put there, such as a document's URL, is no part of it.
    for (key, value) in userInfo ?? [:] where PropertyListSerialization.propertyList(value, isValidFor: .binary) {
      if let key = key.base as? String { list[key] = value }
    }
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      return try PropertyListDecoder().decode(type, from: data)
    } catch {
      throw TypedPayloadError.invalidContent
    }
  }
}
