// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Asks an administrator for another certificate for the key that this side proved in the handshake.
package struct Renew: MessageBody {
  package static var type: UInt8 { TeamMessage.Number.renew.rawValue }

  package init() {}
}
