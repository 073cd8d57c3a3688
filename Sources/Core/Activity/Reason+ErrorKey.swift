// SPDX-License-Identifier: Apache-2.0

extension Reason {
  /// The key of a reason's name in the `userInfo` of the errors that apps get.
  package static let errorKey = "BatonReason"
}
