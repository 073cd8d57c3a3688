// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The answer to a `Hello` or `Join` that is not accepted. The connection ends after it.
package struct Refused: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.refused.rawValue }

  package var reason: Reason

  package init(reason: Reason) {
    self.reason = reason
  }
}
