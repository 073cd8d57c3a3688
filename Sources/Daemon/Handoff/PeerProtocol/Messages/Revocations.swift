// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A list of removed devices, for a peer that may not have it, and the discovery key that those devices do not know.
/// The key is secret, so the message is sent only in a session, whose peer is not one of those devices.
package struct Revocations: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.revocations.rawValue }

  /// An X.509 revocation list in DER, at most `Limits.revocationListLength` bytes.
  @Coded<RevocationList> package var list: [UInt8]

  /// 32 bytes. The list contains its hash.
  @Coded<DiscoveryKey> package var discoveryKey: [UInt8]

  package init(list: [UInt8], discoveryKey: [UInt8]) {
    self.list = list
    self.discoveryKey = discoveryKey
  }

  package enum RevocationList: BoundedBytes {
    package static let lengths = 1...Limits.revocationListLength
  }

  package enum DiscoveryKey: BoundedBytes {
    package static let lengths = 32...32
  }
}
