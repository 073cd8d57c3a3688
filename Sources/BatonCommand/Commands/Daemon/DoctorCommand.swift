import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum DoctorCommand: Command {
  static let words = ["doctor"]
  static let synopsis = "[PEER]"
  static let summary = "Say what is wrong between this machine and the others, and what to do."
  static let details = """
    Walks the way from the daemon over D-Bus, Avahi, the network and the other machines to the apps, one
    line for each part. PEER is a machine's name, its Device ID or the first digits of it, or HOST[:PORT];
    without it all machines of your teams are looked at. It takes at most 20 seconds.

    The exit status is that of the first thing that is wrong.
    With --json: {"checks": [{"check", "outcome", "reason", "detail", "advice"}], "reason"}; outcome is passed,
    failed, skipped or note.
    """
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    var report = DoctorReport(isColoured: output.isColoured)
    func tell(_ finding: Diagnose.Reply) throws {
      report.add(finding)
      if !output.isJSON { try output.line(report.text(finding)) }
    }
    var failure: CommandError?
    do {
      let version = try greet(arguments)
      try tell(Diagnose.Reply(.daemon, .passed, "batond \(version) answers."))
      var replies = try connect(arguments).replies(
        of: Diagnose.self,
        Diagnose.Parameters(peer: arguments.operands.first)
      )
      let deadline = ContinuousClock.now + Limits.diagnosisTime
      while let finding = try replies.next(until: deadline) { try tell(finding) }
    } catch let error as ControlError {
      guard let finding = DoctorReport.finding(error) else { throw error }
      try tell(finding)
      failure = CommandError(ExitStatus(error), "\(error)", reason: finding.reason)
    }
    if output.isJSON { try output.document(report.json) }
    if let failure { throw failure }
    if let first = report.firstFailure {
      throw CommandError(first.reason ?? .internalFailure, "First to mend: \(Printable.text(first.detail))")
    }
    if !output.isJSON { try output.line("Nothing is wrong.") }
  }

  private static func connect(_ arguments: ArgumentList) throws(ControlError) -> ControlConnection {
    try ControlConnection(path: arguments.value("socket"))
  }

  /// The daemon's version. Shows whether the daemon answers at all, in a time that a user is willing to wait.
  private static func greet(_ arguments: ArgumentList) throws(ControlError) -> String {
    var replies: ControlReplies<GetStatus> = try connect(arguments).begin(GetStatus.self, Nothing())
    guard let status = try replies.next(until: .now + Limits.controlConnectTime) else { throw .disconnected }
    return status.version
  }
}
