// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The answer to a `Ping`.
package struct Pong: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.pong.rawValue }

  /// The number of the ping.
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
