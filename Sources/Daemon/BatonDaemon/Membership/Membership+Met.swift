// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS
import Teams

/// The devices that sessions have shown, on an administrator's machine. They are known immediately, and are recorded
/// later, many of them together.
extension Membership {
  /// Called when a session with a device has begun. Only an administrator's machine records the device, and only what
  /// it does not know yet.
  func met(_ peer: PeerID, name: String, certificate: Certificate) {
    guard canAdminister(peer.team), let serial = try? certificate.serial else { return }
    met[peer.team, default: [:]][peer.device] = AdmittedDevice(
      device: peer.device,
      name: name,
      serial: serial,
      admitted: Self.now,
      isAdministrator: certificate.isAdministrator
    )
    if metTimer?.deadline == nil { metTimer?.set(Loop.now + Limits.rememberTime) }
  }

  /// The devices of a team that were met and are not recorded yet.
  func met(in team: TeamID) -> [AdmittedDevice] { met[team].map { Array($0.values) } ?? [] }

  /// Records the devices that were met. That takes as long for one as for many, because the whole list is written.
  func recordMet() {
    metTimer?.set(nil)
    for (team, devices) in met { Loop.begin { [self] in await record(devices, in: team) } }
  }

  private func record(_ devices: [DeviceID: AdmittedDevice], in team: TeamID) async {
    _ = try? await changes.make(for: .daemon) { store throws(Reason) in
      try store.learn(met: Array(devices.values), in: team)
    }
    // A device that was not recorded is met again.
    for (id, device) in devices where met[team]?[id] == device { met[team]?[id] = nil }
    if met[team]?.isEmpty == true { met[team] = nil }
  }

  /// Records the devices that were met, and changes nothing from then on.
  ///
  /// - Parameter completion: Called once, when everything is on the disk.
  func finish(completion: @escaping @Loop () -> Void) {
    metTimer?.set(nil)
    let met = met
    changes.finish(
      { store in
        for (team, devices) in met { try? store.learn(met: Array(devices.values), in: team) }
      },
      completion: completion
    )
  }
}
