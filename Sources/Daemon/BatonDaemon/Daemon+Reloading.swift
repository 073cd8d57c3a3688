// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd

extension Daemon {
  /// Applies another configuration as far as possible while the daemon runs. Sessions and streams continue.
  ///
  /// - Returns: The differences from the configuration in effect. Those that are not applied take a restart.
  package func apply(_ new: Configuration) -> [ConfigurationChange] {
    let (old, oldName) = (settings.configuration, settings.deviceName)
    let changes = settings.apply(new, canTurnDiscoveryOn: makeDiscovery != nil || !new.usesDiscovery)
    log.level = new.logLevel
    if settings.deviceName != oldName { nameChanged() }
    if settings.configuration.usesDiscovery != old.usesDiscovery {
      announcer.setDiscovery(settings.configuration.usesDiscovery ? makeDiscovery?(new.interfaces) : nil)
    } else if new.interfaces != old.interfaces {
      announcer.use(new.interfaces)
    }
    if new.usesRendezvous != old.usesRendezvous { rendezvous.update() }
    if new.usesRelays != old.usesRelays { rendezvous.relaysChanged() }
    useSource()
    peers.streams.memory.resize(to: new.streamMemory)
    if new.withholdsWhenLocked != old.withholdsWhenLocked { withhold() }
    return changes
  }

  /// Tells others what this machine is called now.
  func nameChanged() {
    log.notice("Changed this machine's name", ["device": settings.deviceName])
    announcer.nameChanged()
    peers.nameAgain()
    for connection in peers.connections { connection.send(Renamed(device: settings.deviceName)) }
  }

  /// Withholds what users with locked screens hold, if the configuration says so.
  func withhold() {
    let users = settings.configuration.withholdsWhenLocked ? watch?.lockedUsers : nil
    shell.handle(.screensLocked(users ?? []))
  }
}
