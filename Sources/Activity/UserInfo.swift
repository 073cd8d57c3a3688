import JSON

/// The small state of an activity: at most `Limits.userInfoLength` bytes as encoded, and known to be well formed.
package struct UserInfo: Hashable, Sendable {
  /// The encoded form: always an object.
  package let json: JSON

  package static let empty = UserInfo()

  private init() { json = .object([:]) }

  /// Checks the form and the size, and keeps the canonical form.
  ///
  /// - Throws: `Reason.userInfoInvalid`, `Reason.userInfoTooLarge`.
  package init(json: JSON) throws(Reason) {
    guard case .dictionary(let pairs) = try UserInfoValue(json: json) else { throw .userInfoInvalid }
    try self.init(pairs)
  }

  /// - Throws: `Reason.userInfoInvalid` where it is nested too deeply or holds a UUID that is none,
  ///   `Reason.userInfoTooLarge`.
  package init(_ pairs: [UserInfoValue: UserInfoValue]) throws(Reason) {
    json = UserInfoValue.dictionary(pairs).json
    guard json.depth <= Limits.userInfoDepth else { throw .userInfoInvalid }
    guard json.bytes.count <= Limits.userInfoLength else { throw .userInfoTooLarge }
    _ = try values()
  }

  /// The values, of the types they had where they were published.
  ///
  /// - Throws: never for a `UserInfo` that was made from valid input; the form was checked then.
  package func values() throws(Reason) -> [UserInfoValue: UserInfoValue] {
    guard case .dictionary(let pairs) = try UserInfoValue(json: json) else { throw .userInfoInvalid }
    return pairs
  }
}

extension JSON {
  /// How many arrays and objects contain one another.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
    default: 0
    }
  }
}
