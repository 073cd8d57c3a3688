import Glibc

/// The environment variables of this process, and what is made of them.
package struct ProcessEnvironment: Sendable {
  private(set) var values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  /// This process's own.
  package static var current: ProcessEnvironment {
    var values: [String: String] = [:]
    var next = environ
    while let text = next.pointee {
      values.add(String(cString: text))
      next += 1
    }
    return ProcessEnvironment(values)
  }

  /// Nil also where it is empty, as the XDG Base Directory Specification wants it.
  package subscript(_ name: String) -> String? {
    get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    set { values[name] = newValue }
  }

  /// An absolute path; others are not valid.
  package func directory(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// What belongs to this process alone: its notification socket, its descriptors, its own start.
  private static let own = [
    "NOTIFY_SOCKET", "FDSTORE", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC",
    "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID", "MAINPID", "EXIT_CODE", "EXIT_STATUS",
    "SERVICE_RESULT", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    "GIO_LAUNCHED_DESKTOP_FILE", "GIO_LAUNCHED_DESKTOP_FILE_PID", "RUNTIME_DIRECTORY", "STATE_DIRECTORY",
    "CACHE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY", "CREDENTIALS_DIRECTORY",
    "LIBDISPATCH_LOG",
  ]

  /// What no program does without.
  private static let basic = ["HOME", "LOGNAME", "PATH", "SHELL", "USER", "XDG_RUNTIME_DIR"]

  /// What an app that is started gets.
  ///
  /// - Parameter manager: `NAME=value`, as the service manager has it, where there is one: a desktop that began after us is
  ///   there, and one that has ended is not. Of ours, apps then get the daemon's socket, and what every program needs.
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

  /// The path of a program: itself where it is absolute, otherwise the first in `PATH` that may be run.
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
  /// - Parameter variable: `NAME=value`; others are left out.
  fileprivate mutating func add(_ variable: String) {
    // By bytes: what joins the sign before it makes another character of it for people.
    guard let sign = variable.utf8.firstIndex(of: UInt8(ascii: "=")), sign != variable.startIndex else { return }
    self[String(variable[..<sign])] = String(Substring(variable.utf8[sign...].dropFirst()))
  }
}
