// SPDX-License-Identifier: Apache-2.0

import Activity

/// Which of a cluster's servers to connect to, and when: the next one after each failure, after a random pause.
///
/// Servers that a server names are not used, because nothing proves that they are the team's.
package struct ServerChoice: Sendable {
  /// The pauses before this machine connects to a server again, of which a random part is taken. When a server starts
  /// again, thousands come back.
  static let rendezvousBackoff = Duration.seconds(2)...Duration.seconds(300)
  /// How long a connection must have lasted to count as a success.
  static let rendezvousSteadyTime = Duration.seconds(30)

  package typealias Instant = ContinuousClock.Instant

  private let servers: [ServerAddress]
  private var next = 0
  private var pause = Self.rendezvousBackoff.lowerBound
  private var readySince: Instant?
  /// When the connection was lost, or could not be made for the first time.
  private var failingSince: Instant?
  private let random: @Sendable () -> Double

  /// - Parameter random: Returns a number from 0 to 1.
  package init(_ servers: [ServerAddress], random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
    self.servers = servers
    self.random = random
    // Machines of one team need not be at the same server.
    if !servers.isEmpty { next = min(Int(random() * Double(servers.count)), servers.count - 1) }
  }

  /// The server to connect to now. Nil if there is none.
  package var server: ServerAddress? { servers.isEmpty ? nil : servers[next] }

  /// The server has accepted this machine.
  package mutating func accepted(at now: Instant) { readySince = now }

  /// The connection has failed, or ended.
  ///
  /// - Returns: When to connect to the next server, which ``server`` is from now on.
  package mutating func failed(_ failure: NATSSession.Failure, at now: Instant) -> Instant {
    if !servers.isEmpty { next = (next + 1) % servers.count }
    let wasSteady = readySince.map { now - $0 >= Self.rendezvousSteadyTime } ?? false
    readySince = nil
    if wasSteady { (pause, failingSince) = (Self.rendezvousBackoff.lowerBound, nil) }
    let since = failingSince ?? now
    failingSince = since
    switch failure {
    case .refused, .revoked, .expired:
      // Another server of the cluster says the same.
      return now + Limits.rendezvousRefusedTime * (0.5 + random() / 2)
    default:
      defer { pause = min(pause * 2, Self.rendezvousBackoff.upperBound) }
      // A server that was away for a short time is not missed for a long one.
      let longest = max(since.duration(to: now), Self.rendezvousBackoff.lowerBound)
      return now + min(pause, longest) * random()
    }
  }

  /// Begins again with short pauses, because the network or the token has changed.
  package mutating func reset() { (pause, failingSince) = (Self.rendezvousBackoff.lowerBound, nil) }
}
