import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import VarlinkClient

/// The whole program: finds the command, checks its options, and reports failures.
enum Program {
  static var commands: [any Command.Type] {
    [
      SetupCommand.self, StatusCommand.self, ListCommand.self, WatchCommand.self, AdvertiseCommand.self,
      ContinueCommand.self,
      OpenCommand.self, SendCommand.self, TransfersCommand.self, CopyCommand.self, PasteCommand.self,
      EditPositionCommand.self, DocumentDescribeCommand.self, DocumentFindCommand.self,
      ShellInitCommand.self, TerminalShareCommand.self, TerminalUnshareCommand.self, TerminalListCommand.self,
      SearchCommand.self, SuggestCommand.self, PeersCommand.self, PeerListCommand.self, PeerAddCommand.self,
      PeerRemoveCommand.self, PeerAcceptCommand.self, RendezvousShowCommand.self, RendezvousCreateCommand.self,
      RendezvousRequestCommand.self, RendezvousAuthorizeCommand.self, RendezvousImportCommand.self,
      RendezvousRemoveCommand.self, DoctorCommand.self, TeamListCommand.self, TeamCreateCommand.self,
      TeamInviteCommand.self, TeamJoinCommand.self, TeamRequestCommand.self, TeamApproveCommand.self,
      TeamImportCommand.self, TeamDevicesCommand.self, TeamRevokeCommand.self, TeamPromoteCommand.self,
      TeamRenewCommand.self, TeamPassphraseCommand.self, TeamUnlockCommand.self, TeamBackupCommand.self,
      TeamRestoreCommand.self, TeamLeaveCommand.self,

      MetricsCommand.self, AgentCommand.self,
      BrowserHostCommand.self,
      EditorHostCommand.self, TerminalHostCommand.self, VersionCommand.self,
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
    let output = Output(isJSON: arguments.prefix { $0 != "--" }.contains { $0 == "--json" })
    // Programs read JSON, and their authors search for its messages.
    if !output.isJSON { UserLanguage.adopt() }
    do {
      if let fault = ResourceLimits.fault(ResourceLimits.baton) { throw CommandError(.failure, fault) }
      try dispatch(arguments, output)
      return .success
    } catch {
      return tell(error, output)
    }
  }

  /// Tells people or programs why a command failed.
  static func tell(_ error: any Error, _ output: Output) -> ExitStatus {
    switch error {
    case let error as UsageError:
      output.fail("\(error)", reason: error.reason?.rawValue)
      return error.reason.map { ExitStatus($0) } ?? .usage
    case let error as CommandError:
      output.fail(error.message, reason: error.reason)
      return error.status
    case let error as ControlError:
      var reason: String?
      if case .failed(let failure) = error { reason = failure.reason.rawValue }
      output.fail("\(error)", reason: reason)
      return ExitStatus(error)
    case is OutputClosed: return .failure
    default:
      output.fail("\(error)", reason: nil)
      return .failure
    }
  }

  private static func dispatch(_ arguments: [String], _ output: Output) throws {
    let words = arguments.prefix { !$0.starts(withBytesOf: "-") }
    let wantsHelp = arguments.prefix { $0 != "--" }.contains { ["--help", "-h"].contains($0) }
    guard let first = words.first else {
      switch arguments.first {
      case nil:
        try output.line(Help.overview(commands))
        if let text = WaitingText.current() { try output.line("\n" + text) }
        return
      case "--help", "-h": return try output.line(Help.overview(commands))
      case "--version": return try VersionCommand.run(ParsedArguments([], of: VersionCommand.syntax), output)
      case .some(let option):
        throw UsageError("Unexpected option '\(option)': the command comes first.", hint: "baton --help")
      }
    }
    if first == "help" { return try help(Array(arguments.dropFirst()), output) }
    if first == CompletionCommand.word { return try CompletionCommand.run(Array(arguments.dropFirst()), output) }
    if first == ShellHostCommand.word { return try ShellHostCommand.run(Array(arguments.dropFirst())) }
    if let command = commands.first(where: { words.starts(with: $0.words) }) {
      if wantsHelp { return try output.line(Help.page(command)) }
      let rest = Array(arguments.dropFirst(command.words.count))
      return try command.run(ParsedArguments(rest, of: command.syntax), output)
    }
    let subcommands = commands.filter { $0.words.first == first }
    guard !subcommands.isEmpty else {
      throw UsageError.unknown(
        "command",
        first,
        known: commands.map { $0.words[0] } + ["help"],
        hint: "baton --help"
      )
    }
    guard let second = words.dropFirst().first else {
      if wantsHelp { return try output.line(Help.list(subcommands)) }
      throw UsageError("'baton \(first)' needs a subcommand:\n\(Help.list(subcommands))")
    }
    let known = subcommands.map { $0.words[1...].joined(separator: " ") }
    throw UsageError.unknown("subcommand", second, known: known, hint: "baton \(first) --help")
  }

  private static func help(_ words: [String], _ output: Output) throws {
    guard !words.isEmpty else { return try output.line(Help.overview(commands)) }
    let matching = commands.filter { $0.words.starts(with: words) }
    switch matching.count {
    case 0:
      let word = words.joined(separator: " ")
      throw UsageError.unknown("command", word, known: commands.map { $0.title }, hint: "baton --help")
    case 1: try output.line(Help.page(matching[0]))
    default: try output.line(Help.list(matching))
    }
  }
}
