/// The keys of an invitation in a handshake (Protocol.md section 8).
package struct InvitationKeys: Equatable, Sendable {
  /// `identity`, 16 bytes: identifies the invitation. It is sent in the clear.
  package let identity: [UInt8]
  /// `K_psk`, 32 bytes: the external PSK.
  package let preSharedKey: [UInt8]

  package init(identity: [UInt8], preSharedKey: [UInt8]) {
    self.identity = identity
    self.preSharedKey = preSharedKey
  }
}
