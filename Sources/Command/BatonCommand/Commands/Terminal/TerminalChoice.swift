// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import Localization

/// The session of tmux that a command means, and the server that has it.
enum TerminalChoice {
  static let session = Option.text("session", "NAME", localized("The tmux session (default: the current one)."))

  /// Returns the server: that of this terminal, or else the usual one.
  static var tmux: Tmux { Tmux.surrounding?.tmux ?? Tmux(socket: nil) }

  static func session(_ arguments: ParsedArguments) throws -> TmuxSession {
    do throws(Tmux.Failure) {
      _ = try Tmux.program()
      if let name = arguments[session] { return try TmuxSession(tmux: tmux, named: name) }
      guard let own = Tmux.surrounding else {
        throw .refused(
          localized(
            """
            This terminal isn't in tmux. Start `tmux` and share from there, or choose a session with --session \
            (`tmux list-sessions` lists them).
            """
          )
        )
      }
      // The pane may have moved to another session.
      guard let pane = ProcessEnvironment.current["TMUX_PANE"] else {
        return TmuxSession(tmux: own.tmux, id: own.session)
      }
      return TmuxSession(tmux: own.tmux, id: try own.tmux.run(["display-message", "-p", "-t", pane, "#{session_id}"]))
    } catch { throw failure(error) }
  }

  /// Returns the path of the server's socket. Nil if no server runs.
  static func server(_ tmux: Tmux) throws -> String {
    do throws(Tmux.Failure) { return try tmux.run(["display-message", "-p", "#{socket_path}"]) } catch {
      throw failure(error)
    }
  }

  /// Returns the path of the socket of the program that shares a session, if one does.
  static func path(_ session: TmuxSession) throws -> String {
    TerminalSocket.path(server: try server(session.tmux), session: session.id)
  }

  static func failure(_ failure: Tmux.Failure) -> CommandError {
    switch failure {
    case .notInstalled, .timedOut, .system: CommandError(.failure, "\(failure)")
    case .refused(let text): CommandError(.notFound, text.ends(withBytesOf: ".") ? text : "\(failure)")
    }
  }
}
