// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions

extension LengthLimit {
  static let activityType = LengthLimit(bytes: Limits.activityTypeLength, reason: .activityTypeInvalid)
  /// The daemon shortens a title that is too long to be offered.
  static let title = LengthLimit(bytes: Limits.varlinkMessageLength / 4, reason: .titleTooLong)
  static let url = LengthLimit(bytes: Limits.urlLength, reason: .urlInvalid)
  static let userInfo = LengthLimit(bytes: Limits.userInfoLength, reason: .userInfoTooLarge)
  /// With room for white space and escapes, which make the JSON longer than what is sent.
  static let userInfoText = LengthLimit(bytes: Limits.varlinkMessageLength / 2, reason: .userInfoTooLarge)
  static let teamName = LengthLimit(bytes: Limits.teamNameLength, reason: .teamNameInvalid)
  /// A code has 47 bytes, including its dashes.
  static let code = LengthLimit(bytes: 256, reason: .invitationInvalid)
}
