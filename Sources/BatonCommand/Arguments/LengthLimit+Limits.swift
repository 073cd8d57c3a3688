import Activity
import CommandLineOptions

extension LengthLimit {
  static let activityType = LengthLimit(bytes: Limits.activityTypeLength, reason: .activityTypeInvalid)
  static let title = LengthLimit(bytes: Limits.titleLength, reason: .titleTooLong)
  static let url = LengthLimit(bytes: Limits.urlLength, reason: .urlInvalid)
  static let userInfo = LengthLimit(bytes: Limits.userInfoLength, reason: .userInfoTooLarge)
  /// With room for white space and escapes, which make the JSON longer than what is sent.
  static let userInfoText = LengthLimit(bytes: Limits.varlinkMessageLength / 2, reason: .userInfoTooLarge)
  static let teamName = LengthLimit(bytes: Limits.teamNameLength, reason: .teamNameInvalid)
  /// A code has 47 bytes, including its dashes.
  static let code = LengthLimit(bytes: 256, reason: .invitationInvalid)
}
