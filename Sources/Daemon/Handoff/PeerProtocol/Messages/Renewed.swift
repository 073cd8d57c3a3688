// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The answer to a `Renew`.
package struct Renewed: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.renewed.rawValue }

  /// The certificate for the requester's key, in PEM.
  @Coded<PEM> package var certificate: String

  package init(certificate: String) { self.certificate = certificate }
}
