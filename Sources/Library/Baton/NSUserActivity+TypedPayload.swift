// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSUserActivity {
  /// The reason why a payload can't be set or read.
  public enum TypedPayloadError: Error {
    /// The payload is not a dictionary of property list values.
    case encodingError
    /// ``NSUserActivity/userInfo`` does not contain such a payload.
    case invalidContent
  }

  /// Stores the payload in ``userInfo``, where its coding keys become keys.
  ///
  /// - Throws: `TypedPayloadError.encodingError`, or any error of the payload's encoding.
  public func setTypedPayload<T: Codable>(_ payload: T) throws {
    let data = try PropertyListEncoder().encode(payload)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let entries = list as? [String: Any] else { throw TypedPayloadError.encodingError }
    addUserInfoEntries(from: entries)
  }

  /// Returns the payload that ``userInfo`` contains.
  ///
  /// - Throws: `TypedPayloadError.invalidContent` if there is no payload of this type.
  public func typedPayload<T: Codable>(_ type: T.Type) throws -> T {
    var list: [String: Any] = [:]
    // Entries that others have added, such as a document's URL, are not part of it.
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
