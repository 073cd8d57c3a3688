// SPDX-License-Identifier: Apache-2.0

import Activity

extension Reason {
  /// How much the failure at one of a peer's addresses says about the peer. A stranger at an old address says nothing,
  /// and a member of the team does. That it speaks another version, anyone can say.
  package var attemptWeight: Int {
    switch self {
    case .limitReached: 0
    case .peerNotFound, .otherTeam, .notTLS, .certificateMissing: 1
    case .peerUnreachable: 2
    case .handshakeTimedOut: 3
    default: 4
    }
  }
}
