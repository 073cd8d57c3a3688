// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import CommandLineOptions

/// The options of `batond`.
enum DaemonOptions {
  static let user = Option.flag("user", "Serve one user: socket in $XDG_RUNTIME_DIR, state in $XDG_STATE_HOME.")
  static let config = text(
    "config",
    "FILE",
    completing: .file,
    "Read FILE and FILE.d/*.conf instead of /etc/baton/batond.conf and its drop-ins."
  )
  static let name = text("name", "NAME", "The name your other machines show for this one (default: the host name).")
  static let port = text(
    "port",
    "PORT",
    "The TCP port for other machines (default: \(Configuration.defaultPort); 0: any free port)."
  )
  static let noDiscovery = Option.flag("no-discovery", "Don't announce this machine or look for others.")
  static let socket = text("socket", "PATH", completing: .file, "The control socket (default: /run/baton/baton.sock).")
  static let stateDirectory = text(
    "state-directory",
    "DIR",
    completing: .file,
    "The directory for teams and keys (default: /var/lib/baton)."
  )
  static let logLevel = text("log-level", "LEVEL", "error, warning, notice, info or debug (default: info).")
  static let checkConfiguration = Option.flag(
    "check-config",
    "Check the configuration: print it, or its errors, and exit."
  )
  static let checkReload = Option.flag("check-reload", "Print anything that would prevent a reload, and exit.")
  static let reload = Option<Int32?>.value(
    "reload",
    "PID",
    "Have the batond with this process ID reload, if nothing would prevent it.",
    repetition: .lastCounts
  ) { text throws(InvalidValue) in
    // Checked: a process. 0, 1 and negative numbers would be others, or many of them.
    guard let process = Int32(text), process > 1 else { throw InvalidValue { "'\($0)' needs a process ID." } }
    return process
  }
  static let version = Option.flag("version", "Print the version and exit.")
  static let help = Option.flag("help", short: "h", "Print this help and exit.")

  static let syntax = CommandLineSyntax(
    command: "batond",
    options: [
      user, config, name, port, noDiscovery, socket, stateDirectory, logLevel, checkConfiguration, checkReload, reload,
      version, help,
    ]
  )

  static let helpText = """
    Usage: batond [OPTIONS]

    The daemon that connects the machines of a team. Programs use it through its control
    socket; see baton(1).

    Options:
    \(syntax.optionTable)

    Exit status:
    \(TextLayout.table(DaemonExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))

    On SIGHUP, batond reloads the configuration.
    """

  /// The last value counts, so that a command line can be extended.
  private static func text(
    _ name: String,
    _ placeholder: String,
    completing kind: ValueDeclaration.Kind = .text,
    _ help: String
  ) -> Option<String?> {
    .value(name, placeholder, completing: kind, help, repetition: .lastCounts) { text throws(InvalidValue) in
      guard !text.isEmpty else { throw InvalidValue { "'\($0)' must not be empty." } }
      return text
    }
  }
}
