// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The last message of a side that ends the connection on purpose.
package struct Bye: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.bye.rawValue }

  package var reason: Reason

  package init(reason: Reason) {
    self.reason = reason
  }
}
