// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The result of a `Promote`.
package struct Promoted: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.promoted.rawValue }

  /// Why the sender is not an administrator; nil if it is one now.
  package var reason: Reason?

  package init(reason: Reason? = nil) { self.reason = reason }
}
