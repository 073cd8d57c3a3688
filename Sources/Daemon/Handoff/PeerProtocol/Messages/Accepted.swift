// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The answer to a good `Hello`: the sender recognizes the receiver as a device of the team.
package struct Accepted: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.accepted.rawValue }

  /// The greatest version that both sides speak.
  package var version: UInt64

  package init(version: UInt64) {
    self.version = version
  }
}
