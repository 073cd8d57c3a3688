// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import EventLoop
import Systemd

/// Handles SIGHUP: reads the configuration again and passes it to the daemon.
@Loop
struct Reloading {
  let daemon: Daemon
  let log: Log

  func run(_ arguments: DaemonArguments) {
    guard !daemon.isStopping else { return }
    ServiceManager.reloading()
    let reader = arguments.readConfiguration()
    Self.tell(reader.faults, log)
    if reader.errors.isEmpty {
      let changes = daemon.apply(reader.configuration)
      for change in changes where change.isApplied { log.notice("Changed a setting", ["key": change.key]) }
      for change in changes where !change.isApplied {
        log.warning("A setting requires a restart", ["key": change.key])
      }
      log.notice("Reloaded the configuration", ["files": reader.files.joined(separator: " ")])
    } else {
      log.error("The configuration is invalid, so nothing was changed")
    }
    daemon.tellReady()
  }

  nonisolated static func tell(_ faults: [ConfigurationFault], _ log: Log) {
    for fault in faults {
      let fields: KeyValuePairs = ["place": fault.place, "fault": fault.message]
      switch fault.kind {
      case .unknown: log.warning("Unknown configuration", fields)
      case .wrong: log.error("Invalid configuration", fields)
      }
    }
  }
}
