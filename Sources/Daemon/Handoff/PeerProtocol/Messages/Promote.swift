// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Makes the other side an administrator. It contains the team's key, so no message is more secret.
package struct Promote: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.promote.rawValue }

  /// A certificate for the other side's key, with the administrator's extension; in PEM.
  @Coded<PEM> package var certificate: String
  /// The team's key, in PEM or sealed with a passphrase.
  @Coded<PEM> package var authorityKey: String

  package init(certificate: String, authorityKey: String) {
    self.certificate = certificate
    self.authorityKey = authorityKey
  }
}
