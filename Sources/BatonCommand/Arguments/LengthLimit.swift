import Activity

/// The maximum length of an argument. The daemon hangs up on a call that is too long, which explains nothing to the
/// user.
struct LengthLimit {
  /// Bytes in UTF-8.
  let bytes: Int
  /// The daemon's reason for refusing a longer text; nil if that is a usage error.
  var reason: Reason?

  /// For texts without their own limit: names, IDs, addresses and paths, none of which is longer.
  static let other = LengthLimit(bytes: 4096)
  static let activityType = LengthLimit(bytes: Limits.activityTypeLength, reason: .activityTypeInvalid)
  static let title = LengthLimit(bytes: Limits.titleLength, reason: .titleTooLong)
  static let url = LengthLimit(bytes: Limits.urlLength, reason: .urlInvalid)
  static let userInfo = LengthLimit(bytes: Limits.userInfoLength, reason: .userInfoTooLarge)
  /// With room for white space and escapes, which make the JSON longer than what is sent.
  static let userInfoText = LengthLimit(bytes: Limits.varlinkMessageLength / 2, reason: .userInfoTooLarge)
  static let teamName = LengthLimit(bytes: Limits.teamNameLength, reason: .teamNameInvalid)
  /// A code has 47 bytes, including its dashes.
  static let code = LengthLimit(bytes: 256, reason: .invitationInvalid)

  /// - Parameter name: The argument's name, for people.
  /// - Throws: `UsageError`, or `CommandError` with the reason.
  func check(_ text: String, _ name: String, hint: String) throws {
    let count = text.utf8.count
    guard count > bytes else { return }
    let message = "\(name) has \(count) bytes, and may have at most \(bytes)."
    throw reason.map { CommandError($0, message) as any Error } ?? UsageError(message, hint: hint)
  }
}
