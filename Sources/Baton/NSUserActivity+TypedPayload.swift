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
    let entries = (userInfo ?? [:]).compactMap { key, value in (key.base as? String).map { ($0, value) } }
    do {
      let list = Dictionary(entries) { first, _ in first }
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      return try PropertyListDecoder().decode(type, from: data)
    } catch {
      throw TypedPayloadError.invalidContent
    }
  }
}
