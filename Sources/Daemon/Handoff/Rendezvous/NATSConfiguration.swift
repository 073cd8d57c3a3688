// SPDX-License-Identifier: Apache-2.0

/// The configuration file of the servers of one operator, which form a cluster if there are several.
package struct NATSConfiguration {
  /// The operator's token, and the system account with its token.
  package let operatorToken: String
  package let systemAccount: (key: [UInt8], token: String)
  /// Other accounts that the servers know from the start.
  package let accounts: [(key: [UInt8], token: String)]
  /// All servers. They listen on the same port.
  package let servers: [ServerAddress]

  package init(
    operatorToken: String,
    systemAccount: (key: [UInt8], token: String),
    accounts: [(key: [UInt8], token: String)],
    servers: [ServerAddress]
  ) {
    (self.operatorToken, self.systemAccount) = (operatorToken, systemAccount)
    (self.accounts, self.servers) = (accounts, servers)
  }

  /// The port on which the servers of a cluster speak with each other.
  package static let clusterPort: UInt16 = 6222

  package var text: String {
    let port = servers.first?.port ?? ServerAddress.defaultPort
    let known = ([systemAccount] + accounts).map { "  \(NATSKey.text(.account, $0.key)): \($0.token)\n" }
    return """
      # Written by `baton rendezvous`. The files it mentions are in the directory in which nats-server is started.
      listen: "[::]:\(port)"
      tls {
        cert_file: "server.pem"
        key_file: "server.key"
        timeout: 10
      }
      authorization { timeout: 10 }

      # A device's message is 640 bytes long. The longest one is an account's token, which lists the removed devices.
      max_payload: 262144
      max_pending: 1MB
      max_control_line: 4096
      max_connections: 65536
      write_deadline: "5s"
      ping_interval: "1m"
      ping_max: 2

      operator: \(operatorToken)
      system_account: \(NATSKey.text(.account, systemAccount.key))
      resolver {
        type: full
        dir: "accounts"
        allow_delete: false
        # After this time at most, a server that was offline knows as much as the others.
        interval: "10s"
        limit: 100000
      }
      resolver_preload {
      \(known.joined())}

      """ + cluster
  }

  private var cluster: String {
    guard servers.count > 1 else { return "" }
    let routes = servers.map { server in
      let host = server.host.unicodeScalars.contains(":") ? "[\(server.host)]" : server.host
      return "\"tls://\(host):\(Self.clusterPort)\""
    }
    return """
      cluster {
        name: baton
        listen: "[::]:\(Self.clusterPort)"
        # Servers know each other by the certificate that they share.
        tls {
          cert_file: "server.pem"
          key_file: "server.key"
          ca_file: "server.pem"
          verify: true
          timeout: 10
        }
        routes: [\(routes.joined(separator: ", "))]
      }

      """
  }
}
