// SPDX-License-Identifier: Apache-2.0

/// The keys of an invitation in a handshake (Protocol.md section 8).
package struct InvitationKeys: Equatable, Sendable {
  package static let identityLength = 16

  /// `identity`, 16 bytes: which invitation it is. Sent in the clear.
  package let identity: [UInt8]
  /// `K_psk`, 32 bytes: the external PSK.
  package let preSharedKey: [UInt8]

  package init(identity: [UInt8], preSharedKey: [UInt8]) {
    self.identity = identity
    self.preSharedKey = preSharedKey
  }
}
