// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import VarlinkClient

/// Why something failed, before it becomes the `CocoaError` that apps get.
struct HandoffFailure: Error, Equatable {
  let reason: Reason?
  let message: String

  init(_ reason: Reason, _ message: String? = nil) {
    self.reason = reason
    self.message = message ?? reason.explanation
  }

  init(_ error: ControlError) {
    if case .failed(let failure) = error { reason = failure.reason } else { reason = nil }
    message = error.description
  }

  /// The error as apps receive it: a code from 4608 to 4611 in the Cocoa domain, a description that explains what to
  /// do, and the reason's name.
  var cocoaError: CocoaError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    userInfo[UserActivityReasonErrorKey] = reason?.rawValue
    return CocoaError(code, userInfo: userInfo)
  }

  private var code: CocoaError.Code {
    switch reason {
    case .userInfoTooLarge: .userActivityHandoffUserInfoTooLarge
    case .appTimedOut, .peerTimedOut, .handshakeTimedOut: .userActivityRemoteApplicationTimedOut
    case .streamsNotSupported, .streamNotFound, .streamReset, .streamInterrupted, .streamLimitReached, .peerUnreachable,
      nil:
      .userActivityConnectionUnavailable
    default: .userActivityHandoffFailed
    }
  }
}

/// The key of the reason's name, a `String`, in the `userInfo` of errors. It is absent if there is no reason.
/// Reasons.md explains each reason.
public let UserActivityReasonErrorKey = Reason.errorKey

/// The first code of errors about user activities.
public let NSUserActivityErrorMinimum = 4608
/// The last code of errors about user activities.
public let NSUserActivityErrorMaximum = 4863
