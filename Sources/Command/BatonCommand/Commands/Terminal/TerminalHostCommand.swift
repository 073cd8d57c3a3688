// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import Localization

enum TerminalHostCommand: Command {
  static let words = ["terminal", "host"]
  static let group = HelpGroup.scripts
  static let examples: [CommandExample] = []
  static let summary = localized("Connect a shared tmux session to Baton (started by tmux).")
  static let isHidden = true
  static let details = localized("tmux runs this program alongside the session. You don't need to run it.")
  private static let session = Option.required("session", "ID", localized("The ID of the session, for example $3."))
  private static let path = Option.required(
    "path",
    "PATH",
    completing: .file,
    localized("The socket for `baton terminal`.")
  )
  private static let server = Option.text("server", "PATH", completing: .file, localized("The tmux socket."))
  static let options: [any AnyOption] = [
    session, path, server, TerminalShareCommand.resumeTime, TerminalShareCommand.readOnly, TerminalShareCommand.team,
  ]

  private static let stopSignals = [SIGTERM, SIGINT, SIGHUP]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let isCurrent = RunningFile.takeNote() != displaced
    Signals.ignoreStray()
    Signals.hold(stopSignals)
    let session = TmuxSession(tmux: Tmux(socket: arguments[server]), id: arguments[session])
    var options = TerminalHost.Options(
      session: session,
      path: arguments[path],
      resumeTime: try TerminalShareCommand.seconds(arguments)
    )
    options.isReadOnly = arguments[TerminalShareCommand.readOnly]
    options.team = arguments[TerminalShareCommand.team]
    options.daemon = arguments.socket
    let info: TerminalInfo
    let detaching: String?
    do throws(Tmux.Failure) {
      info = try session.describe(resumeTime: options.resumeTime, daemon: options.daemon)
      detaching = try session.detachAtEnd()
    } catch {
      throw TerminalChoice.failure(error)
    }
    let chosen = options
    Task { @Loop in
      do {
        let host = try TerminalHost(chosen, info, isCurrent: isCurrent)
        Running.host = host
        host.onReplaced = { file, isCurrent in
          session.restoreDetaching(detaching)
          file.begin(note: isCurrent ? nil : displaced)
          _ = try? session.detachAtEnd()
        }
        host.onEnd = {
          session.restoreDetaching(detaching)
          exit(ExitStatus.success.rawValue)
        }
      } catch {
        output.fail("\(error)", reason: nil)
        exit(ExitStatus.failure.rawValue)
      }
    }
    Signals.wait(for: stopSignals) { _ in Running.host?.terminate() }
  }

  /// What a host tells the one that takes its place, if another activity is current.
  private static let displaced = "displaced"

  @Loop
  private enum Running {
    static var host: TerminalHost?
  }
}
