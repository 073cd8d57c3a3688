// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The small state of an activity. Its encoded form has at most `Limits.userInfoLength` bytes, and is known to be well
/// formed.
package struct UserInfo: Hashable, Sendable {
  /// The encoded form: always an object.
  package let json: JSON

  package static let empty = UserInfo()

  private init() { json = .object([:]) }

  /// Checks the form and the size, and keeps the canonical form.
  ///
  /// - Throws: `Reason.userInfoInvalid`, `Reason.userInfoTooLarge`.
  package init(json: JSON) throws(Reason) {
    // The canonical form can be shorter than the received form, but not by that much.
    guard json.isShorter(than: 4 * Limits.userInfoLength) else { throw .userInfoTooLarge }
    let canonical = try json.canonicalUserInfo()
    guard case .object(let members) = canonical, !members.isOneTag else {
      throw .userInfoInvalid
    }
    guard canonical.depth <= Limits.userInfoDepth else { throw .userInfoInvalid }
    guard canonical.bytes.count <= Limits.userInfoLength else { throw .userInfoTooLarge }
    self.json = canonical
  }

  /// - Throws: `Reason.userInfoInvalid` if it is nested too deeply, contains a UUID that is not one, or a key with more
  ///   combining marks than text can have. `Reason.userInfoTooLarge` if it is too large.
  package init(_ pairs: [UserInfoValue: UserInfoValue]) throws(Reason) {
    try self.init(json: UserInfoValue.dictionary(pairs).json)
  }

  /// Returns the values, with the types that they had when they were published.
  ///
  /// - Throws: never for a `UserInfo` that was made from valid input, because the form was checked then.
  package func values() throws(Reason) -> [UserInfoValue: UserInfoValue] {
    guard case .dictionary(let pairs) = try UserInfoValue(json: json) else { throw .userInfoInvalid }
    return pairs
  }
}

extension [String: JSON] {
  /// Whether this is the form of a value that is not a dictionary.
  fileprivate var isOneTag: Bool { count == 1 && first.map { $0.key.isTag && $0.key != "$dictionary" } ?? false }
}

extension JSON {
  /// The nesting depth of arrays and objects.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
    default: 0
    }
  }
}
