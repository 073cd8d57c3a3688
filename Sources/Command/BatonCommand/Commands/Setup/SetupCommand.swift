// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// Leads a person through the first hour on a machine.
enum SetupCommand: Command {
  static let words = ["setup"]
  static let group = HelpGroup.everyday
  static let summary = localized("Set up Baton on this machine, step by step.")
  static let details = localized(
    """
    Offers to open your firewall, creates a team or joins one, adds the hook to your
    shell, checks your browsers, editors, players and desktop, and waits until
    you've continued something for the first time. Baton asks before it changes
    anything, leaves correct settings alone, and shows the commands for anything it
    can't do itself. You can stop at any question, and run `baton setup` again at
    any time.

    --yes makes the safe changes without asking: the shell hook and, with --team or
    --code, the team. It installs nothing, opens no firewall and doesn't wait.

    With --json, the output is {"checks": [{"check", "outcome", "detail",
    "advice"}], "changed": [...]}. Nothing is asked, and nothing is changed unless
    you add --yes or --undo.
    """
  )
  private static let yes = Option.flag("yes", localized("Don't ask. Make only the safe changes."))
  private static let undo = Option.flag(
    "undo",
    localized("Remove the shell hook that `baton setup` added.")
  )
  private static let team = Option.text(
    "team",
    "NAME",
    localized("Create a team with this name, if you aren't in one."),
    limit: .teamName
  )
  private static let code = Option.text(
    "code",
    "CODE",
    localized("Join a team with this code, if you aren't in one; with -, read the code from standard input."),
    limit: .code
  )
  static let options: [any AnyOption] = [yes, undo, team, code, TeamJoinCommand.address]
  static let examples: [CommandExample] = [
    ("baton setup", localized("Set up this machine.")),
    ("baton setup --undo", localized("Remove the hook from your shell's startup file.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    guard arguments[team] == nil || arguments[code] == nil else {
      throw UsageError(
        localized("Use either '--team' or '--code', not both."),
        hint: syntax.hint
      )
    }
    try refuseOtherUser()
    let dialogue = try SetupDialogue(isConfirmed: arguments[yes] || arguments[undo], output, hint: syntax.hint)
    var report = SetupReport(output)
    if arguments[undo] {
      try SetupShell(dialogue).undo(&report)
      return try report.finish()
    }
    dialogue.explainInterruption()
    do {
      try guide(dialogue, &report, arguments)
    } catch is SetupDialogue.Stopped {
      output.note(SetupDialogue.stopText)
    }
    try report.finish()
  }

  private static func guide(_ dialogue: SetupDialogue, _ report: inout SetupReport, _ arguments: ParsedArguments) throws
  {
    let status: GetStatus.Reply
    do throws(ControlError) {
      status = try DoctorCommand.greet(arguments)
    } catch {
      guard let finding = DoctorReport.finding(error) else { throw error }
      // Nothing else works without the daemon.
      return try report.add(finding)
    }
    try report.add(.init(.daemon, .passed, localized("batond \(status.version) is running.")))
    try SetupFirewall(dialogue: dialogue).run(status, &report)
    let team = SetupTeam(dialogue, arguments, name: arguments[team], code: arguments[code])
    try team.run(&report)
    try SetupShell(dialogue).run(&report)
    try SetupPrograms(dialogue).run(&report)
    try FirstHandOff(dialogue, arguments).run(&report)
  }

  /// Teams and startup files belong to a user, and `sudo` would make those of root.
  private static func refuseOtherUser() throws {
    guard geteuid() == 0, let user = getenv("SUDO_USER").map({ String(cString: $0) }), !user.isEmpty, user != "root"
    else {
      return
    }
    throw UsageError(
      localized("Run `baton setup` without sudo: the team and the shell hook are for you, not for root."),
      hint: syntax.hint
    )
  }
}
