// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum DoctorCommand: Command {
  /// How long a client waits for a whole diagnosis: all that the daemon waits for, one after the other, and some more.
  private static let diagnosisTime = Duration.seconds(20)

  static let words = ["doctor"]
  static let group = HelpGroup.diagnosis
  static let summary = localized("Diagnose problems and suggest fixes.")
  static let details = localized(
    """
    The doctor checks one part after another and prints a line for each: the system,
    the daemon, D-Bus, Avahi, the network, your other machines, apps, the firewall,
    the search index, notifications, and your browsers, shell and editors. MACHINE
    is a machine's name, its Device ID or the start of one, or HOST[:PORT]. Without
    MACHINE, the doctor checks all machines in your teams. It takes at most 20
    seconds.

    The exit status is that of the first problem.

    With --json, the output is {"checks": [{"check", "outcome", "reason", "detail",
    "advice"}], "reason"}. The outcome is "passed", "failed", "skipped" or "note".
    """
  )
  static let operand: Operand? = .optional("MACHINE", .machine)
  static let examples: [CommandExample] = [
    ("baton doctor", localized("Check everything.")),
    ("baton doctor laptop", localized("Find out why the laptop isn't connected.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    var report = DoctorReport(isColoured: output.isColoured)
    func tell(_ finding: Diagnose.Reply) throws {
      report.add(finding)
      if !output.isJSON { try output.line(report.text(finding)) }
    }
    var failure: CommandError?
    do {
      try tell(Verdict.platform(.current))
      let status = try greet(arguments)
      try tell(Diagnose.Reply(.daemon, .passed, localized("batond \(status.version) is running.")))
      var replies = try arguments.connect().replies(
        of: Diagnose.self,
        Diagnose.Parameters(peer: arguments.operand)
      )
      let deadline = ContinuousClock.now + Self.diagnosisTime
      while let finding = try replies.next(until: deadline) { try tell(finding) }
      let firewalls = FirewallReader().report(status.interfaces ?? [])
      for finding in Verdict.firewall(firewalls, FirewallNeed(status), isConnected: report.hasPassed(.peer)) {
        try tell(finding)
      }
      try tell(SearchFinding.finding())
      if let finding = TransferFinding.finding() { try tell(finding) }
      if let finding = NotificationFinding.finding() { try tell(finding) }
      for finding in ProgramFindings().all { try tell(finding) }
    } catch let error as ControlError {
      guard let finding = DoctorReport.finding(error) else { throw error }
      try tell(finding)
      failure = CommandError(ExitStatus(error), "\(error)", reason: finding.reason)
    }
    if output.isJSON { try output.document(report.json) }
    if let failure { throw failure }
    if let first = report.firstFailure {
      throw CommandError(first.reason ?? .internalFailure, localized("First problem: \(Printable.text(first.detail))"))
    }
    if !output.isJSON { try output.line(localized("No problems found.")) }
  }

  /// The daemon's status. Shows whether the daemon answers at all, in a time that a user is willing to wait.
  static func greet(_ arguments: ParsedArguments) throws(ControlError) -> GetStatus.Reply {
    var replies: ControlReplies<GetStatus> = try arguments.connect().begin(GetStatus.self, Nothing())
    guard let status = try replies.next(until: .now + Limits.controlConnectTime) else { throw .disconnected }
    return status
  }
}
