// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// The configuration in effect, and the name of this machine. The parts read a setting each time that they need it.
@Loop
final class Settings {
  private(set) var configuration: Configuration
  /// From the configuration, or from the host.
  private(set) var deviceName: String

  var sharedFolders: SharedFolders { configuration.sharedFolders }

  init(_ configuration: Configuration) {
    self.configuration = configuration
    deviceName = configuration.name ?? Self.hostName
  }

  /// Takes another configuration, as far as that is possible without a restart.
  ///
  /// - Parameter canTurnDiscoveryOn: Whether the running daemon can start discovery.
  /// - Returns: The differences from the configuration in effect.
  func apply(_ new: Configuration, canTurnDiscoveryOn: Bool) -> [ConfigurationChange] {
    let changes = ConfigurationChange.all(from: configuration, to: new, canTurnDiscoveryOn: canTurnDiscoveryOn)
    let old = configuration
    configuration = new
    configuration.port = old.port
    if !canTurnDiscoveryOn { configuration.usesDiscovery = old.usesDiscovery }
    readHostName()
    return changes
  }

  /// Takes the host's name, which may have changed, if the configuration has none.
  ///
  /// - Returns: Whether this machine has another name.
  @discardableResult
  func readHostName() -> Bool {
    let old = deviceName
    deviceName = configuration.name ?? Self.hostName
    return !deviceName.hasBytes(of: old)
  }

  /// The first label of the host name.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    return text.split(atScalar: ".").first.map(String.init) ?? "unnamed"
  }
}
