import Daemon
import Glibc

/// What the command line of `batond` asks for.
struct DaemonArguments {
  enum Action { case run, checkConfiguration, help, version }

  private(set) var action = Action.run
  private(set) var configuration = Configuration()
  let placement: Placement

  static let help = """
    Usage: batond [OPTIONS]

    Serves Handoff between the machines of a team: offers what people do on this machine to their other
    machines, and what they do there here. Programs talk to it through the control socket; see baton(1).

      --user                  Serve one user: socket in $XDG_RUNTIME_DIR, state in $XDG_STATE_HOME
      --config FILE           Read FILE instead of /etc/baton/batond.conf
      --name NAME             Name of this machine, for people (default: the host name)
      --port PORT             TCP port for peers (default: 22866; 0: any free one)
      --no-discovery          Neither announce this machine nor look for others
      --socket PATH           Control socket (default: /run/baton/baton.sock)
      --state-directory DIR   Teams and keys (default: /var/lib/baton)
      --log-level LEVEL       error, warning, notice, info or debug (default: info)
      --check-config          Check the configuration and exit
      --version               Print the version and exit
      --help                  Print this and exit

    Exit status: 0 stopped, 1 failed, 64 wrong usage, 69 another batond or program has the socket or the port,
    78 wrong configuration.
    """

  /// Reads the configuration file and lets the flags prevail.
  init(_ arguments: [String]) throws(UsageError) {
    var isUser = false
    var file: String?
    var flags: [(name: String, value: String)] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch parts[0] {
      case "--user": isUser = true
      case "--help", "-h": action = .help
      case "--version": action = .version
      case "--check-config": action = .checkConfiguration
      case "--no-discovery": flags.append((parts[0], ""))
      case "--config", "--name", "--port", "--socket", "--state-directory", "--log-level":
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
          throw UsageError("\(parts[0]) needs a value")
        }
        if parts[0] == "--config" { file = value } else { flags.append((parts[0], value)) }
      default: throw UsageError("unknown argument \(argument)")
      }
    }
    guard action == .run || action == .checkConfiguration else {
      placement = try Self.place(isUser: false, configuration)
      return
    }
    do throws(Configuration.Fault) {
      try Self.readFile(file, isUser: isUser, into: &configuration)
      for flag in flags { try Self.apply(flag.name, flag.value, to: &configuration) }
    } catch {
      Terminal.fail("batond: \(error)", status: .configuration)
    }
    placement = try Self.place(isUser: isUser, configuration)
  }

  private static func apply(
    _ flag: String,
    _ value: String,
    to configuration: inout Configuration
  ) throws(Configuration.Fault) {
    switch flag {
    case "--name": try configuration.setName(value, flag)
    case "--port": try configuration.setPort(value, flag)
    case "--log-level": try configuration.setLogLevel(value, flag)
    case "--socket": configuration.socket = value
    case "--state-directory": configuration.stateDirectory = value
    default: configuration.usesDiscovery = false
    }
  }

  /// The default file may be missing; one that was named may not.
  private static func readFile(
    _ path: String?,
    isUser: Bool,
    into configuration: inout Configuration
  ) throws(Configuration.Fault) {
    let home = environment("XDG_CONFIG_HOME") ?? environment("HOME").map { "\($0)/.config" }
    let user = home.map { "\($0)/baton/batond.conf" }
    guard let chosen = path ?? (isUser ? user : "/etc/baton/batond.conf") else { return }
    guard let file = fopen(chosen, "re") else {
      guard path == nil, errno == ENOENT else {
        Terminal.fail("batond: \(chosen): \(String(cString: strerror(errno)))", status: .configuration)
      }
      return
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    try configuration.read(String(decoding: bytes, as: UTF8.self), path: chosen)
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
