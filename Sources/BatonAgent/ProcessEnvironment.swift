import Glibc

/// Environment variables of this process, and what is derived from them.
package struct ProcessEnvironment: Sendable {
  private(set) var values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  /// The variables of this process.
  package static var current: ProcessEnvironment {
    var values: [String: String] = [:]
    var next = environ
    while let text = next.pointee {
      values.add(String(cString: text))
      next += 1
    }
    return ProcessEnvironment(values)
  }

  /// Nil also if the variable is empty, as the XDG Base Directory Specification demands.
  package subscript(_ name: String) -> String? {
    get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    set { values[name] = newValue }
  }

  /// The variable as an absolute path. Other values are invalid and give nil.
  package func directory(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }

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
      result.values = values.filter { Self.basic.contains($0.key) }
      for variable in manager { result.values.add(variable) }
      result.values["BATON_SOCKET"] = values["BATON_SOCKET"]
    }
    for name in Self.own { result.values[name] = nil }
    return result
  }

  /// `NAME=value`, sorted.
  package var list: [String] { values.map { "\($0.key)=\($0.value)" }.sorted() }

  /// The path of a program: the name itself if it is absolute, otherwise the first executable in `PATH`.
  package func program(_ name: String) -> String? {
    guard !name.hasPrefix("/") else { return Self.mayRun(name) ? name : nil }
    guard !name.isEmpty, !name.contains("/") else { return nil }
    return (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: Self.mayRun)
  }

  private static func mayRun(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}

extension [String: String] {
  /// - Parameter variable: `NAME=value`; anything else is ignored.
  fileprivate mutating func add(_ variable: String) {
    // By bytes, because a combining scalar forms another `Character` with the sign before it.
    guard let sign = variable.utf8.firstIndex(of: UInt8(ascii: "=")), sign != variable.startIndex else { return }
    self[String(variable[..<sign])] = String(Substring(variable.utf8[sign...].dropFirst()))
  }
}
