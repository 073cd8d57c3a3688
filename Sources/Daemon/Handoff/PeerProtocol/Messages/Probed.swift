// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The result of a `Probe`.
package struct Probed: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.probed.rawValue }

  /// The number of the probe.
  package var number: UInt64
  /// Why the connection failed; nil if it succeeded.
  package var reason: Reason?

  package init(number: UInt64, reason: Reason? = nil) {
    self.number = number
    self.reason = reason
  }
}
