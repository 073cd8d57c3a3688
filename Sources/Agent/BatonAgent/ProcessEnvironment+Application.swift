// SPDX-License-Identifier: Apache-2.0

import EventLoop

extension ProcessEnvironment {
  /// Variables that are meant for this process only: its notification socket, its descriptors, its own start.
  private static let own = [
    "NOTIFY_SOCKET", "FDSTORE", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC",
    "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID", "MAINPID", "EXIT_CODE", "EXIT_STATUS",
    "SERVICE_RESULT", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    "GIO_LAUNCHED_DESKTOP_FILE", "GIO_LAUNCHED_DESKTOP_FILE_PID", "RUNTIME_DIRECTORY", "STATE_DIRECTORY",
    "CACHE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY", "CREDENTIALS_DIRECTORY",
    "LIBDISPATCH_LOG",
  ]

  /// Variables that every program needs.
  private static let basic = ["HOME", "LOGNAME", "PATH", "SHELL", "USER", "XDG_RUNTIME_DIR"]

  /// Returns the environment of an app that is started.
  ///
  /// - Parameter manager: The service manager's variables as `NAME=value`, if there is a manager. They include a
  ///   desktop that started after us, and exclude one that has ended. From our own variables, apps then get only the
  ///   daemon's socket and what every program needs.
  package func forApplication(manager: [String]? = nil) -> ProcessEnvironment {
    var result = self
    if let manager {
      result = ProcessEnvironment(values.filter { Self.basic.contains($0.key) })
      for variable in manager { result.add(variable) }
      result["BATON_SOCKET"] = values["BATON_SOCKET"]
    }
    for name in Self.own { result[name] = nil }
    return result
  }
}
