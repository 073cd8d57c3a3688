// SPDX-License-Identifier: Apache-2.0

import Handoff
import TLS

/// What servers must know of a team that they let in, and the keys of who may tell them.
package struct ServerAccount {
  /// The public key of the team's account: 32 bytes.
  package let key: [UInt8]
  package let revoked: NATSRevocations
  package let `operator`: RendezvousAccess.Operator

  /// The account's token. It names the users whom the servers do not let in yet, too.
  ///
  /// - Parameters:
  ///   - answer: The token that a server has, perhaps from an administrator who has heard of more. It counts only if
  ///     the operator has signed it, because a server must not make an administrator cut off others.
  ///   - now: Seconds since 1970.
  /// - Returns: Nil if the servers know everything.
  package func token(besides answer: String, now: Int64) throws(TLSError) -> String? {
    let signer = try RendezvousSigner(seed: `operator`.seed)
    var all = revoked
    if let known = signer.hasSigned(answer, of: key) ? NATSRevocations(token: answer) : nil {
      guard !known.contains(revoked) else { return nil }
      all.formUnion(known)
    }
    all.trim(now: now, lifetime: Authority.deviceValidity)
    return try signer.accountToken(key, revoked: all, now: now)
  }
}
