// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Asks an administrator for a ``RendezvousAccess`` that is better than what the sender has.
package struct AskRendezvous: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.askRendezvous.rawValue }

  /// The version that the sender has; 0 for none.
  @Coded<RendezvousAccess.Number> package var version: Int64
  /// What its token lets it be called; nil if it has none. A new discovery key changes it.
  @Coded<Name?> package var name: String?
  /// When its token ends, in seconds since 1970; 0 if it has none.
  @Coded<RendezvousAccess.Number> package var expires: Int64

  package init(version: Int64, name: String?, expires: Int64) {
    self.version = version
    self.name = name
    self.expires = expires
  }

  package enum Name: BoundedText {
    package static let lengths = 1...64
  }
}
