// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Systemd

/// A program to start as an app of the desktop.
struct ApplicationCommand {
  /// The desktop file ID without `.desktop`.
  var id: String
  /// The name for people.
  var name: String
  /// Its name on the bus; nil if it is not started over D-Bus.
  var busName: String?
  /// The URLs that it opens if it is started over D-Bus.
  var targets: [String] = []
  /// The first element is a program's name or path. Empty if the app is started over D-Bus only.
  var arguments: [String]
  var directory: String?
  /// A program without which the app does not count as installed. Nil if there is none.
  var requiredProgram: String?
  var needsTerminal = false
  /// Variables in addition to those that all apps get.
  var variables: [String: String] = [:]

  /// The same variables for an app that is started over D-Bus.
  fileprivate var platformData: [String: String] {
    let names = [
      "activation-token": "XDG_ACTIVATION_TOKEN", "desktop-startup-id": "DESKTOP_STARTUP_ID",
      "baton-offer": "BATON_OFFER",
      "baton-activity-type": "BATON_ACTIVITY_TYPE",
    ]
    return names.compactMapValues { variables[$0] }
  }
}

/// Starts one app. It uses D-Bus if the desktop entry says so and the bus can do it. Otherwise it starts a process, in
/// a systemd scope of its own if the user has a systemd, or else as a child of ours.
///
/// The process exists before its scope, and must not start others in the meantime. So it is a shell that waits for our
/// word and then becomes the app.
@Loop
final class ApplicationStart {
  struct Failure: Error {
    let description: String
    /// `applicationNotFound` if the app is not installed.
    var reason = Reason.launchFailed
    /// Whether the app was asked to open and failed. Then nothing else must be opened in its place.
    var hasRun = false
  }

  private let command: ApplicationCommand
  private let environment: ProcessEnvironment
  private let manager = UserManager()
  private let completion: @Loop (Result<ChildProgram?, Failure>) -> Void
  /// Why there is no scope; nil if there is one.
  private(set) var scopeTrouble: String?

  /// Waits for one line and becomes the program. If it cannot become the program, the shell ends with 126 or 127.
  private static let gate = #"IFS= read -r go || exit 125; exec "$@" </dev/null"#

  /// - Parameter completion: Called once; without a program if the app was started over D-Bus.
  init(
    _ command: ApplicationCommand,
    _ environment: ProcessEnvironment,
    completion: @escaping @Loop (Result<ChildProgram?, Failure>) -> Void
  ) {
    self.command = command
    self.environment = environment
    self.completion = completion
  }

  func begin() {
    guard let name = command.busName else { return beginProgram() }
    if let required = command.requiredProgram, environment.program(required) == nil {
      return finish(.failure(Failure(description: "\(required) isn't installed", reason: .applicationNotFound)))
    }
    ApplicationActivation(name).begin(targets: command.targets, platformData: command.platformData) { [self] outcome in
      switch outcome {
      case .activated: finish(.success(nil))
      case .unavailable where !command.arguments.isEmpty: beginProgram()
      case .unavailable(let why): finish(.failure(Failure(description: "over D-Bus: \(why)")))
      case .failed(let why): finish(.failure(Failure(description: "over D-Bus: \(why)", hasRun: true)))
      }
    }
  }

  private func beginProgram() {
    manager.environment { [self] result in
      switch result {
      case .success(let variables): start(environment.forApplication(manager: variables), inScope: true)
      case .failure(let error):
        scopeTrouble = error.description
        start(environment.forApplication(), inScope: false)
      }
    }
  }

  private func start(_ environment: ProcessEnvironment, inScope: Bool) {
    var environment = environment
    for (name, value) in command.variables { environment[name] = value }
    let arguments: [String]
    do throws(Failure) { arguments = try commandLine(environment) } catch { return finish(.failure(error)) }
    var options = ChildProgram.Options(environment: environment.list, directory: command.directory)
    let output = Self.output(command.id)
    defer { if let output { close(output) } }
    (options.standardOutput, options.standardError) = (output, output)
    do throws(SystemError) {
      guard inScope else { return finish(.success(try ChildProgram(arguments, options))) }
      let (reading, writing) = try Pipes.make()
      defer { close(reading) }
      options.standardInput = reading
      do throws(SystemError) {
        startScope(try ChildProgram(["/bin/sh", "-c", Self.gate, "sh"] + arguments, options), writing)
      } catch {
        close(writing)
        throw error
      }
    } catch {
      finish(.failure(Failure(description: error.description)))
    }
  }

  /// Where the app writes, because our entries in the journal are not its own. Nil: where we write, such as the
  /// terminal.
  private static func output(_ id: String) -> Int32? {
    guard Journal.hasStandardError else { return nil }
    return Journal.stream(identifier: id) ?? open("/dev/null", O_WRONLY | O_CLOEXEC)
  }

  /// The command line, with the path of each program.
  private func commandLine(_ environment: ProcessEnvironment) throws(Failure) -> [String] {
    func path(_ name: String, _ reason: Reason = .launchFailed) throws(Failure) -> String {
      if let path = environment.program(name) { return path }
      throw Failure(description: "\(name) isn't installed", reason: reason)
    }
    if let required = command.requiredProgram { _ = try path(required, .applicationNotFound) }
    let program = try path(command.arguments.first ?? "")
    let line = [program] + command.arguments.dropFirst()
    guard command.needsTerminal else { return line }
    // A terminal that is already running opens a window for the program, in its own environment.
    let variables = ["BATON_OFFER", "BATON_ACTIVITY_TYPE", "BATON_SOCKET"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    return try Self.terminal(environment) + (variables.isEmpty ? [] : [try path("env")] + variables) + line
  }

  /// The command that runs a command line in a terminal: the one that the user chose, or Debian's.
  private static func terminal(_ environment: ProcessEnvironment) throws(Failure) -> [String] {
    if let chosen = environment.program("xdg-terminal-exec") { return [chosen] }
    if let ours = environment.program("x-terminal-emulator") { return [ours, "-e"] }
    throw Failure(
      description: "it needs a terminal, and neither xdg-terminal-exec nor x-terminal-emulator is installed"
    )
  }

  private func startScope(_ child: ChildProgram, _ gate: Int32) {
    let unit = UserManager.scopeName(command.id)
    manager.startScope(unit, description: command.name, process: child.identifier) { [self] trouble in
      scopeTrouble = trouble
      _ = write(gate, "go\n", 3)
      close(gate)
      finish(.success(child))
    }
  }

  private func finish(_ result: Result<ChildProgram?, Failure>) {
    manager.close()
    completion(result)
  }
}

enum Pipes {
  /// Returns the two ends of a pipe, which no other program inherits. The caller must close them.
  static func make() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
