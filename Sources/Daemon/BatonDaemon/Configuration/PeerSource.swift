// SPDX-License-Identifier: Apache-2.0

/// What knows where other machines are, besides discovery and users.
package enum PeerSource: String, Sendable {
  case tailscale
}
