// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import CommandLineOptions
import EventLoop

/// What the command line of `batond` asks for.
struct DaemonArguments {
  enum Action { case run, checkConfiguration, checkReload, reload, help, version }

  let action: Action
  let placement: Placement
  private let arguments: ParsedArguments
  private let files: ConfigurationFiles?

  init(_ words: [String]) throws(UsageError) {
    arguments = try ParsedArguments(words, of: DaemonOptions.syntax)
    action = Self.action(arguments)
    let isUser = arguments[DaemonOptions.user]
    files = ConfigurationFiles(
      named: arguments[DaemonOptions.config],
      isUser: isUser,
      environment: Self.environment
    )
    // The values that only flags can set.
    var configuration = Configuration()
    configuration.socket = arguments[DaemonOptions.socket]
    configuration.stateDirectory = arguments[DaemonOptions.stateDirectory]
    // Checking a configuration or asking for help must work even if there is no place for a socket.
    placement = try Self.place(isUser: isUser && action == .run, configuration)
  }

  /// The last option that asks for something else than to run.
  private static func action(_ arguments: ParsedArguments) -> Action {
    let actions: [(OptionDeclaration, Action)] = [
      (DaemonOptions.checkConfiguration.declaration, .checkConfiguration),
      (DaemonOptions.checkReload.declaration, .checkReload), (DaemonOptions.reload.declaration, .reload),
      (DaemonOptions.version.declaration, .version), (DaemonOptions.help.declaration, .help),
    ]
    return arguments.names.reduce(.run) { action, name in actions.first { $0.0.name == name }?.1 ?? action }
  }

  /// The process that reloads, if the action is `reload`.
  var reloaded: Int32? { arguments[DaemonOptions.reload] }

  /// Reads the configuration files. Options override them.
  func readConfiguration() -> ConfigurationReader {
    var reader = files?.read() ?? ConfigurationReader()
    let keys: [(ConfigurationKey, Option<String?>)] = [
      (.name, DaemonOptions.name), (.port, DaemonOptions.port), (.logLevel, DaemonOptions.logLevel),
    ]
    for (key, option) in keys {
      if let value = arguments[option] { reader.set(key, value, option.declaration.title) }
    }
    if arguments[DaemonOptions.noDiscovery] {
      reader.set(.discovery, "no", DaemonOptions.noDiscovery.declaration.title)
    }
    if let socket = arguments[DaemonOptions.socket] { reader.set(\.socket, to: socket) }
    if let directory = arguments[DaemonOptions.stateDirectory] { reader.set(\.stateDirectory, to: directory) }
    return reader
  }

  private static func place(isUser: Bool, _ configuration: Configuration) throws(UsageError) -> Placement {
    do throws(PlacementError) {
      return try Placement(isUser: isUser, configuration: configuration, environment: environment)
    } catch {
      throw UsageError(error.description, hint: DaemonOptions.syntax.hint)
    }
  }

  /// The runtime directory of another user, as after su, is none.
  private static func environment(_ name: String) -> String? {
    let environment = ProcessEnvironment.current
    return name == "XDG_RUNTIME_DIR" && environment.isForeign ? nil : environment[name]
  }
}
