// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization

enum TerminalShareCommand: Command {
  static let words = ["terminal", "share"]
  static let group = HelpGroup.terminals
  static let summary = localized("Share a tmux session with your other machines.")
  static let details = localized(
    """
    Baton offers the session. On another machine, run `baton continue` in a terminal
    to show it there while it keeps running here. Anyone who continues it can type
    in it, unless you use --read-only.

    If the connection drops, the other machine reconnects for as long as
    --resume-time allows. Sharing ends when the session or tmux ends, or when you
    run `baton terminal unshare`. If you've used something else in the meantime, run
    this command again to offer the session.
    """
  )
  static let resumeTime = Option.time(
    "resume-time",
    localized("How long a dropped connection can be resumed: 90, 90s, 15m, 2h, 7d (default: 12h, maximum: 7d).")
  )
  static let readOnly = Option.flag("read-only", localized("Ignore input from other machines."))
  static let team = Option.text("team", "ID", completing: .team, localized("Share with this team only."))
  static let options: [any AnyOption] = [TerminalChoice.session, resumeTime, readOnly, team]

  /// In seconds.
  static let usualResumeTime = 12 * 3600
  static let longestResumeTime = 7 * 86_400
  /// The time from the call of tmux until the program that shares has asked the daemon.
  private static let startTime = Duration.seconds(10)
  /// The time after which somebody looks again, in microseconds.
  private static let pause: UInt32 = 20_000

  static func seconds(_ arguments: ParsedArguments) throws -> Int {
    guard let seconds = arguments[resumeTime] else { return usualResumeTime }
    guard seconds >= 1, seconds <= Double(longestResumeTime) else {
      throw UsageError(localized("'--resume-time' must be from 1s to 7d."), hint: syntax.hint)
    }
    return Int(seconds)
  }
  static let examples: [CommandExample] = [
    ("baton terminal share", localized("Share the tmux session you're in.")),
    (
      "baton terminal share --session work --read-only",
      localized("Let your other machines watch the session \"work\".")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let seconds = try seconds(arguments)
    let session = try TerminalChoice.session(arguments)
    let path = try TerminalChoice.path(session)
    // Without a daemon, there is nothing to wait for.
    _ = try arguments.connect()
    if let status = TerminalSocket.ask(.status, at: path) {
      let isOther =
        arguments[resumeTime] != nil && status.resumeTime != seconds || arguments[readOnly] != status.isReadOnly
      guard !isOther else {
        let name = Printable.text(status.session)
        throw CommandError(
          .refused,
          localized("\(name) is already shared with different options. Run `baton terminal unshare` first.")
        )
      }
      _ = TerminalSocket.ask(.share, at: path)
    } else {
      try start(arguments, session, path, seconds)
    }
    let status = try wait(path)
    try output.result(status.json, text(status))
    TeamText.noteWithoutTeam(arguments, output)
  }

  /// Lets tmux start the program that shares, so that it belongs to no pane.
  private static func start(
    _ arguments: ParsedArguments,
    _ session: TmuxSession,
    _ path: String,
    _ seconds: Int
  ) throws {
    var words = [try OwnProgram.path()] + TerminalHostCommand.words
    words += ["--session", session.id, "--path", path, "--resume-time", "\(seconds)"]
    if arguments[readOnly] { words.append("--read-only") }
    if let team = arguments[team] { words += ["--team", team] }
    // The environment of tmux may be older than that of the caller.
    let environment = ProcessEnvironment.current
    if let socket = arguments.socket { words += ["--socket", socket] }
    if let server = session.tmux.socket { words += ["--server", server] }
    let variables = ["XDG_RUNTIME_DIR", "BATON_SOCKET", "BATON_EXCLUDE"].compactMap { name in
      environment[name].map { "\(name)=\(SecureShell.quoted($0)) " }
    }
    // tmux shows in the pane how a command ends that it runs, so the program goes on after the command. It ends with
    // the session, which it watches.
    let command = words.map(SecureShell.quoted).joined(separator: " ")
    let line = "\(variables.joined())\(command) </dev/null >/dev/null 2>&1 &"
    do throws(Tmux.Failure) {
      // tmux expands `#{…}` in the line.
      _ = try session.tmux.run(["run-shell", "-b", TmuxSession.literally(line)])
    } catch { throw TerminalChoice.failure(error) }
  }

  private static func wait(_ path: String) throws(CommandError) -> TerminalSocket.Status {
    let deadline = ContinuousClock.now + startTime
    while true {
      let status = TerminalSocket.ask(.status, at: path)
      if let status, status.state == .shared { return status }
      if let status, status.state == .failed {
        _ = TerminalSocket.ask(.unshare, at: path)
        throw CommandError(
          .refused,
          status.message ?? localized("The daemon refused the offer. To find out why, run `baton doctor`.")
        )
      }
      guard ContinuousClock.now < deadline else {
        if let status { return status }
        throw CommandError(.failure, localized("Can't share the session: tmux didn't start `baton terminal host`."))
      }
      _ = usleep(pause)
    }
  }

  private static func text(_ status: TerminalSocket.Status) -> String {
    let name = Printable.text(status.session)
    let time = TimeSpan.text(status.resumeTime)
    let text = localized(
      """
      Shared: \(name). To continue it on another machine, run `baton continue` in a terminal there.
      A dropped connection can be resumed for \(time). To stop sharing, run `baton terminal unshare`.
      """
    )
    guard status.state == .starting else { return text }
    return text + "\n" + localized("The daemon isn't responding. The session will be offered as soon as it responds.")
  }

}

extension TimeSpan {
  /// Returns a time span as people write it.
  static func text(_ seconds: Int) -> String {
    for (unit, length) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds >= length && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}
