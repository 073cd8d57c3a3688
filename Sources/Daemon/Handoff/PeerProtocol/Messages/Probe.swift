// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Asks the peer to open a TCP connection to the address that this session comes from.
package struct Probe: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.probe.rawValue }

  /// A number that the sender chooses and uses once per session.
  package var number: UInt64
  /// The port where the sender listens.
  package var port: UInt16

  package init(number: UInt64, port: UInt16) {
    self.number = number
    self.port = port
  }
}
