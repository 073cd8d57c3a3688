// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import Localization
import VarlinkClient

/// The whole program: finds the command, checks its options, and reports failures.
enum Program {
  static var commands: [any Command.Type] {
    [
      SetupCommand.self, StatusCommand.self, ListCommand.self, WatchCommand.self, OfferCommand.self,
      ContinueCommand.self,
      OpenCommand.self, SendCommand.self, TransfersCommand.self, CopyCommand.self, PasteCommand.self, PortsCommand.self,
      EditPositionCommand.self, DocumentDescribeCommand.self, DocumentFindCommand.self,
      ShellInitCommand.self, TerminalShareCommand.self, TerminalUnshareCommand.self, TerminalListCommand.self,
      SearchCommand.self, SuggestCommand.self, MachinesCommand.self, MachineListCommand.self, MachineAddCommand.self,
      MachineRemoveCommand.self, MachineAcceptCommand.self, RendezvousShowCommand.self, RendezvousCreateCommand.self,
      RendezvousRequestCommand.self, RendezvousAuthorizeCommand.self, RendezvousImportCommand.self,
      RendezvousRemoveCommand.self, DoctorCommand.self, TeamListCommand.self, TeamCreateCommand.self,
      TeamInviteCommand.self, TeamJoinCommand.self, TeamRequestCommand.self, TeamApproveCommand.self,
      TeamImportCommand.self, TeamMachinesCommand.self, TeamRevokeCommand.self, TeamPromoteCommand.self,
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
    Output(isJSON: false).fail(localized("Can't read the arguments. Check that /proc is mounted."), reason: nil)
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
    let words = Array(arguments.prefix { !$0.starts(withBytesOf: "-") })
    let wantsHelp = arguments.prefix { $0 != "--" }.contains { ["--help", "-h"].contains($0) }
    guard let first = words.first else {
      switch arguments.first {
      case nil:
        try output.line(Help.overview())
        if let text = WaitingText.current() { try output.line("\n" + text) }
        return
      case "--help", "-h": return try output.line(Help.overview())
      case "--version": return try VersionCommand.run(ParsedArguments([], of: VersionCommand.syntax), output)
      case .some(let option):
        throw UsageError(
          localized("Unexpected option '\(option)'. Put the command first."),
          hint: "baton --help"
        )
      }
    }
    if first == "help" { return try help(Array(arguments.dropFirst()), output) }
    if first == CompletionCommand.word { return try CompletionCommand.run(Array(arguments.dropFirst()), output) }
    if first == ShellHostCommand.word { return try ShellHostCommand.run(Array(arguments.dropFirst())) }
    for command in commands {
      guard let count = command.count(calledBy: words) else { continue }
      if wantsHelp { return try output.line(Help.page(command)) }
      return try command.run(ParsedArguments(Array(arguments.dropFirst(count)), of: command.syntax), output)
    }
    let subcommands = subcommands(of: first)
    guard let verb = subcommands.first?.words.first else {
      throw UsageError.unknown(
        localized("Unknown command '\(first)'."),
        first,
        known: commands.map { $0.words[0] } + ["help"],
        hint: "baton --help"
      )
    }
    guard let second = words.dropFirst().first else {
      if wantsHelp { return try output.line(Help.list(subcommands)) }
      throw UsageError(localized("'baton \(verb)' needs a subcommand:") + "\n\(Help.list(subcommands))")
    }
    let known = subcommands.map { $0.words[1...].joined(separator: " ") }
    throw UsageError.unknown(
      localized("Unknown subcommand '\(second)'."),
      second,
      known: known,
      hint: "baton \(verb) --help"
    )
  }

  /// The commands whose first word this is, or was in earlier versions.
  private static func subcommands(of word: String) -> [any Command.Type] {
    let own = commands.filter { $0.words.first == word }
    return own.isEmpty ? commands.filter { $0.formerWords.contains { $0.count > 1 && $0[0] == word } } : own
  }

  private static func help(_ words: [String], _ output: Output) throws {
    guard !words.isEmpty else { return try output.line(Help.overview()) }
    var pages: [String] = []
    if let command = commands.first(where: { $0.count(calledBy: words) == words.count }) {
      pages.append(Help.page(command))
    } else {
      let matching = commands.filter { $0.words.starts(with: words) }
      let list = matching.isEmpty && words.count == 1 ? subcommands(of: words[0]) : matching
      if !list.isEmpty { pages.append(Help.list(list)) }
    }
    // A group can have the name of a command.
    if words.count == 1, let group = HelpGroup(rawValue: words[0]) { pages.append(Help.group(group, of: commands)) }
    guard pages.isEmpty else { return try output.line(pages.joined(separator: "\n\n")) }
    let word = words.joined(separator: " ")
    throw UsageError.unknown(
      localized("Unknown command '\(word)'."),
      word,
      known: commands.map { $0.title } + HelpGroup.allCases.map(\.rawValue),
      hint: "baton --help"
    )
  }
}
