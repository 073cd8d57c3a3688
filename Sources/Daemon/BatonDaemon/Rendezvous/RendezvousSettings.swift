// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// What all of a machine's connections to servers share.
@Loop
final class RendezvousSettings {
  private let listeningPort: PeerPort
  private let settings: Settings
  private var sequence: UInt64 = 0
  /// The addresses of devices that were heard with an outdated key.
  let outdated = OutdatedDevices()

  init(_ settings: Settings, port: PeerPort) { (self.settings, listeningPort) = (settings, port) }

  /// The port on which this machine listens.
  var port: UInt16 { listeningPort.number }

  var usesServers: Bool { settings.configuration.usesRendezvous }
  var usesRelays: Bool { settings.configuration.usesRelays }

  /// The number of the next message. It increases even if a team's connection is made anew.
  func nextSequence() -> UInt64 {
    sequence += 1  // Checked: one for each message.
    return sequence
  }
}

/// The addresses of devices that were heard with an outdated key. Removed devices know such keys, so there is room only
/// for a few.
@Loop
final class OutdatedDevices {
  private var table = RecentTable<String, [SocketAddress]>(limit: Limits.returnVisits)

  func note(_ instance: String, _ addresses: [SocketAddress]) { table[instance] = addresses }

  func addresses(of instance: String) -> [SocketAddress]? { table[instance] }
}
