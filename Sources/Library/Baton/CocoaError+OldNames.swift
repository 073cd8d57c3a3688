// SPDX-License-Identifier: Apache-2.0

import Foundation

// Foundation on Linux has today's names. Older code uses these.
extension CocoaError {
  /// `userActivityConnectionUnavailable` by its old name.
  public static var userActivityConnectionUnavailableError: Code { .userActivityConnectionUnavailable }
  /// `userActivityHandoffFailed` by its old name.
  public static var userActivityHandoffFailedError: Code { .userActivityHandoffFailed }
  /// `userActivityHandoffUserInfoTooLarge` by its old name.
  public static var userActivityHandoffUserInfoTooLargeError: Code { .userActivityHandoffUserInfoTooLarge }
  /// `userActivityRemoteApplicationTimedOut` by its old name.
  public static var userActivityRemoteApplicationTimedOutError: Code { .userActivityRemoteApplicationTimedOut }
}

extension CocoaError.Code {
  /// `userActivityConnectionUnavailable` by its old name.
  public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
  /// `userActivityHandoffFailed` by its old name.
  public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
  /// `userActivityHandoffUserInfoTooLarge` by its old name.
  public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
  /// `userActivityRemoteApplicationTimedOut` by its old name.
  public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
    .userActivityRemoteApplicationTimedOut
  }
}
