// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// The maximum length of a value on the command line. The daemon hangs up on a call that is too long, which explains
/// nothing to the user.
package struct LengthLimit: Sendable {
  /// Bytes in UTF-8.
  package let bytes: Int
  /// The daemon's reason for refusing a longer text; nil if that is a usage error.
  let reason: Reason?

  package init(bytes: Int, reason: Reason? = nil) {
    self.bytes = bytes
    self.reason = reason
  }

  /// For texts without their own limit: names, IDs, addresses and paths, none of which is longer.
  package static let other = LengthLimit(bytes: 4096)

  /// - Parameter name: The name of the value, for people.
  package func check(_ text: String, _ name: String, hint: String) throws(UsageError) {
    let count = text.utf8.count
    guard count > bytes else { return }
    let message = localized("\(name) is too long: \(count) bytes, but the limit is \(bytes).")
    throw UsageError(message, hint: reason == nil ? hint : nil, reason: reason)
  }
}
