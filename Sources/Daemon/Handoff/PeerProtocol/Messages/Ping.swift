// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Asks for a sign of life.
package struct Ping: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.ping.rawValue }

  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
