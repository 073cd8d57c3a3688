import JSONCoding

/// Asks an administrator for another certificate for the key that this side proved in the handshake.
package struct Renew: MessageBody {
  package static let messageType = MessageType.renew

  package init() {}
}
