import BatonDaemon
import Glibc

/// The command line of `batond`.
struct DaemonArguments {
  enum Action { case run, checkConfiguration, checkReload, help, version }

  private(set) var action = Action.run
  let placement: Placement

  static let help = """
    Usage: batond [OPTIONS]

    Serves Handoff between the machines of a team: offers what people do on this machine to their other
    machines, and what they do there here. Programs talk to it through the control socket; see baton(1).

      --user                  Serve one user: socket in $XDG_RUNTIME_DIR, state in $XDG_STATE_HOME
      --config FILE           Read FILE and FILE.d/*.conf instead of /etc/baton/batond.conf
      --name NAME             Name of this machine, for people (default: the host name)
      --port PORT             TCP port for peers (default: 22866; 0: any free one)
      --no-discovery          Neither announce this machine nor look for others
      --socket PATH           Control socket (default: /run/baton/baton.sock)
      --state-directory DIR   Teams and keys (default: /var/lib/baton)
      --log-level LEVEL       error, warning, notice, info or debug (default: info)
      --check-config          Print the configuration that is in effect, or what is wrong with it, and exit
      --check-reload          Print what would keep a reload from being done, and exit
      --version               Print the version and exit
      --help                  Print this and exit

    Exit status: 0 stopped, 1 failed, 64 wrong usage, 69 another batond, program or file has the place of the socket,
    the port or the state directory, 78 wrong configuration, or state of a later version. SIGHUP lets batond read the
    configuration anew.
    """

  private static let switches = [
    "--user", "--help", "-h", "--version", "--check-config", "--check-reload", "--no-discovery",
  ]

  private var files: ConfigurationFiles?
  private var flags: [(name: String, value: String)] = []

  init(_ arguments: [String]) throws(UsageError) {
    var isUser = false
    var file: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count > 1, Self.switches.contains(parts[0]) { throw UsageError("\(parts[0]) takes no value") }
      switch parts[0] {
      case "--user": isUser = true
      case "--help", "-h": action = .help
      case "--version": action = .version
      case "--check-config": action = .checkConfiguration
      case "--check-reload": action = .checkReload
      case "--no-discovery": flags.append((parts[0], "no"))
      case "--config", "--name", "--port", "--socket", "--state-directory", "--log-level":
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
          throw UsageError("\(parts[0]) needs a value")
        }
        if value.isEmpty { throw UsageError("\(parts[0]) must not be empty") }
        if parts[0] == "--config" { file = value } else { flags.append((parts[0], value)) }
      default: throw UsageError("unknown argument \(argument)")
      }
    }
    files = ConfigurationFiles(named: file, isUser: isUser, environment: Self.environment)
    // The values that only flags can set.
    var configuration = Configuration()
    for flag in flags {
      switch flag.name {
      case "--socket": configuration.socket = flag.value
      case "--state-directory": configuration.stateDirectory = flag.value
      default: break
      }
    }
    // Checking a configuration or asking for help must work even if there is no place for a socket.
    placement = try Self.place(isUser: isUser && action == .run, configuration)
  }

  /// Reads the configuration files. Flags override them.
  func readConfiguration() -> ConfigurationReader {
    var reader = files?.read() ?? ConfigurationReader()
    for flag in flags {
      switch flag.name {
      case "--name": reader.set(.name, flag.value, flag.name)
      case "--port": reader.set(.port, flag.value, flag.name)
      case "--log-level": reader.set(.logLevel, flag.value, flag.name)
      case "--no-discovery": reader.set(.discovery, flag.value, flag.name)
      case "--socket": reader.set(\.socket, to: flag.value)
      default: reader.set(\.stateDirectory, to: flag.value)
      }
    }
    return reader
  }

  private static func place(isUser: Bool, _ configuration: Configuration) throws(UsageError) -> Placement {
    do throws(PlacementError) {
      return try Placement(isUser: isUser, configuration: configuration, environment: environment)
    } catch {
      throw UsageError(error.description)
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The command line is wrong.
struct UsageError: Error {
  let description: String

  init(_ description: String) { self.description = description }
}
