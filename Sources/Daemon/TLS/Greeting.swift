// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the first bytes of a connection say about whether it is worth a handshake.
package enum Greeting: Equatable, Sendable {
  /// More bytes are needed.
  case incomplete
  /// Not a ClientHello that fits into one record and `Limits.clientHelloLength`.
  case notTLS
  /// The server name belongs to none of the teams here.
  case forNoTeam
  /// The same, and the client speaks Baton only in other versions, whose names may be made in another way.
  case ofOtherVersion
  case forTeam(ClientClaim)

  /// The record with which a server refuses a name (RFC 8446 section 6, RFC 6066 section 3): a fatal alert,
  /// `unrecognized_name`.
  package static let refusal: [UInt8] = [21, 3, 3, 0, 2, 2, 112]
}
