// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Teams

/// What the two sides of a session have told each other about certificates and the team's key.
struct AdministrationExchange {
  /// Whether the peer has the team's key.
  var isAdministrator = false
  /// Whether the peer waits for a certificate until this machine's key of the team is unlocked.
  var awaitsCertificate = false
  /// What the peer knows about devices, as far as it was told, or told us, in this session.
  private var known: [DeviceID: AdmittedDevice] = [:]

  /// Returns what must be sent so that the peer knows all of these devices. They count as told from then on.
  mutating func take(from devices: [AdmittedDevice]) -> [Admitted] {
    let news = devices.filter { device in
      guard let known = known[device.device] else { return true }
      return known.learning(device) != known
    }
    for device in news { known[device.device] = device }
    return stride(from: 0, to: news.count, by: Limits.admittedPerMessage).map { start in
      Admitted(devices: news[start..<min(start + Limits.admittedPerMessage, news.count)].map(Admitted.Device.init))
    }
  }

  /// The peer knows of these devices.
  ///
  /// - Returns: The devices that neither side had told the other about.
  mutating func received(_ devices: [AdmittedDevice]) -> [AdmittedDevice] {
    // A team has no more devices.
    let news = devices.filter { device in
      known[device.device].map { $0 != device } ?? (known.count < 2 * Limits.admittedDevices)
    }
    for device in news { known[device.device] = device }
    return news
  }
}

extension AdmittedDevice {
  init(_ told: Admitted.Device) {
    self.init(
      device: told.device,
      name: told.name,
      serial: told.serial,
      admitted: told.admitted,
      isAdministrator: told.isAdministrator
    )
  }
}

extension Admitted.Device {
  init(_ device: AdmittedDevice) {
    self.init(
      device: device.device,
      serial: device.serial,
      name: device.name,
      admitted: device.admitted,
      isAdministrator: device.isAdministrator
    )
  }
}
