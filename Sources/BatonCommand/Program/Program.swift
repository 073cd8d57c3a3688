import Activity
import ControlClient
import ControlInterface
import EventLoop

/// The whole command: finds the verb, checks its options, and reports failures.
enum Program {
  static var commands: [any Command.Type] {
    [
      StatusCommand.self, ListCommand.self, WatchCommand.self, AdvertiseCommand.self, ContinueCommand.self,
      OpenCommand.self, PeersCommand.self, PeerListCommand.self, PeerAddCommand.self, PeerRemoveCommand.self,
      DoctorCommand.self, TeamListCommand.self, TeamCreateCommand.self, TeamInviteCommand.self, TeamJoinCommand.self,
      TeamRequestCommand.self, TeamApproveCommand.self, TeamImportCommand.self, TeamDevicesCommand.self,
      TeamRevokeCommand.self, TeamPromoteCommand.self, TeamRenewCommand.self, TeamPassphraseCommand.self,
      TeamUnlockCommand.self, TeamBackupCommand.self, TeamRestoreCommand.self, TeamLeaveCommand.self,
      MetricsCommand.self, AgentCommand.self, VersionCommand.self,
    ]
  }

  /// Runs with the arguments of this process.
  static func run() -> ExitStatus {
    let words = CommandLine.arguments
    guard words.isEmpty else { return run(Array(words.dropFirst())) }
    // Swift reads them from /proc.
    Output(isJSON: false).fail("The arguments cannot be read; is /proc mounted?", reason: nil)
    return .failure
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    // This is known before the options are checked, so errors in them are also reported in JSON.
    let output = Output(isJSON: arguments.prefix { $0 != "--" }.contains("--json"))
    do {
      if let fault = ResourceLimits.fault(ResourceLimits.baton) { throw CommandError(.failure, fault) }
      try dispatch(arguments, output)
      return .success
    } catch let error as UsageError {
      output.fail("\(error)", reason: nil)
      return .usage
    } catch let error as CommandError {
      output.fail(error.message, reason: error.reason)
      return error.status
    } catch let error as ControlError {
      var reason: String?
      if case .failed(let failure) = error { reason = failure.reason.rawValue }
      output.fail("\(error)", reason: reason)
      return ExitStatus(error)
    } catch is OutputClosed {
      return .failure
    } catch {
      output.fail("\(error)", reason: nil)
      return .failure
    }
  }

  private static func dispatch(_ arguments: [String], _ output: Output) throws {
    let words = arguments.prefix { !$0.hasPrefix("-") }
    guard let first = words.first else {
      switch arguments.first {
      case nil, "--help", "-h": return try output.line(Help.overview(commands))
      case "--version": return try VersionCommand.run(ArgumentList([], VersionCommand.self), output)
      case .some(let option):
        throw UsageError("The verb comes first, then its options: \(option).", hint: "baton --help")
      }
    }
    let candidates = commands.filter { $0.words.first == first }
    if first == "help" { return try help(Array(arguments.dropFirst()), output) }
    if let command = candidates.first(where: { words.starts(with: $0.words) }) {
      let rest = Array(arguments.dropFirst(command.words.count))
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        return try output.line(Help.page(command))
      }
      return try command.run(ArgumentList(rest, command), output)
    }
    guard candidates.isEmpty else {
      // `team` without a second word, or with an unknown one.
      let second = words.dropFirst().first
      guard let second else {
        let page = Help.list(candidates)
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) { return try output.line(page) }
        throw UsageError("What about the \(first)?\n\(page)")
      }
      let known = candidates.map { $0.words[1...].joined(separator: " ") }
      throw UsageError.unknown("verb", second, after: first, known: known)
    }
    throw UsageError.unknown("verb", first, after: nil, known: commands.map { $0.words[0] } + ["help"])
  }

  private static func help(_ words: [String], _ output: Output) throws {
    guard !words.isEmpty else { return try output.line(Help.overview(commands)) }
    let matching = commands.filter { $0.words.starts(with: words) }
    switch matching.count {
    case 0: throw UsageError.unknown("verb", words.joined(separator: " "), after: nil, known: commands.map { $0.title })
    case 1: try output.line(Help.page(matching[0]))
    default: try output.line(Help.list(matching))
    }
  }
}
