// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// Servers that somebody runs for teams: who decides about their accounts, where they are, and the files that they
/// need.
package struct RendezvousServers {
  package let `operator`: RendezvousAccess.Operator
  package let pins: [[UInt8]]
  package let relays: [String]
  /// What the directory of each server contains. The keys in it are secret.
  package let files: [(name: String, content: String)]

  /// Makes keys for servers.
  ///
  /// - Parameters:
  ///   - accounts: The accounts that the servers know from the start.
  ///   - now: Seconds since 1970.
  static func make(
    _ servers: [ServerAddress],
    relays: [ServerAddress],
    accounts: (RendezvousSigner) throws(TLSError) -> [(key: [UInt8], token: String)],
    now: Int64
  ) throws(TLSError) -> RendezvousServers {
    let own = RendezvousAccess.Operator(
      seed: SystemRandom.bytes(PrivateKey.seedLength),
      system: SystemRandom.bytes(PrivateKey.seedLength)
    )
    let signer = try RendezvousSigner(seed: own.seed)
    let system = try RendezvousSigner(seed: own.system).publicKey
    let identity = try ServerIdentity.make(hosts: servers.map(\.host), now: now)
    let relay = try ServerIdentity.make(hosts: relays.map(\.host), now: now)
    let configuration = NATSConfiguration(
      operatorToken: try signer.operatorToken(system: system, now: now),
      systemAccount: (system, try signer.systemToken(system, now: now)),
      accounts: try accounts(signer),
      servers: servers
    )
    var files = [
      ("nats.conf", configuration.text), ("server.pem", identity.certificate), ("server.key", identity.key),
    ]
    if let port = relays.first?.port {
      files += [
        ("relay.env", "RELAY_LISTEN=:\(port)\n"), ("relay/cert.pem", relay.certificate), ("relay/key.pem", relay.key),
      ]
    }
    return RendezvousServers(
      operator: own,
      pins: [identity.keyHash],
      relays: relays.map { "relay://\($0)/?id=\(RelayID.text(relay.certificateHash))" },
      files: files
    )
  }
}
