// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The answer to a `Fetch` that cannot be served.
package struct Failure: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.failure.rawValue }

  /// The number of the fetch.
  package var request: UInt64
  package var reason: Reason

  package init(request: UInt64, reason: Reason) {
    self.request = request
    self.reason = reason
  }
}
