import Activity

/// How long the text of an argument may be: the daemon hangs up on a call that is too long, which explains nothing.
struct LengthLimit {
  /// Bytes in UTF-8.
  let bytes: Int
  /// What a longer one is to the daemon; nil: wrong usage.
  var reason: Reason?

  /// Of what has no limit of its own: names, IDs, addresses and paths, of which none is longer.
  static let other = LengthLimit(bytes: 4096)
  static let activityType = LengthLimit(bytes: Limits.activityTypeLength, reason: .activityTypeInvalid)
  static let title = LengthLimit(bytes: Limits.titleLength, reason: .titleTooLong)
  static let url = LengthLimit(bytes: Limits.urlLength, reason: .urlInvalid)
  static let userInfo = LengthLimit(bytes: Limits.userInfoLength, reason: .userInfoTooLarge)
  /// JSON with white space, or characters that are escaped, is longer than what is sent.
  static let userInfoText = LengthLimit(bytes: Limits.varlinkMessageLength / 2, reason: .userInfoTooLarge)
  static let teamName = LengthLimit(bytes: Limits.teamNameLength, reason: .teamNameInvalid)
  /// A code has 47 with its dashes.
  static let code = LengthLimit(bytes: 256, reason: .invitationInvalid)

  /// - Parameter name: Of the argument, for people.
  /// - Throws: `UsageError`, or `CommandError` with the reason.
  func check(_ text: String, _ name: String, hint: String) throws {
    let count = text.utf8.count
    guard count > bytes else { return }
    let message = "\(name) has \(count) bytes, and may have at most \(bytes)."
    throw reason.map { CommandError($0, message) as any Error } ?? UsageError(message, hint: hint)
  }
}
