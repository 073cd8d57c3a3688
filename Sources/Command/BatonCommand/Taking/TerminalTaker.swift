// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import ControlInterface
import Dispatch
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization
import Synchronization

/// Continues a session of tmux: live in this terminal, or as a new session with the same layout.
enum TerminalTaker: ActivityTaker {
  static let type = OpenActivityType.terminal
  static let layout = Option.flag(
    "layout",
    localized(
      "For a tmux session: create one with the same windows and directories here, instead of showing the original."
    )
  )

  static func take(_ continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws {
    if continued.activity.supportsContinuationStreams, continued.origin != .local, !arguments[layout] {
      try show(continued, arguments, output)
    } else {
      try lay(out: continued, arguments, output)
    }
  }

  // MARK: Live

  private static func show(_ continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws {
    output.note(localized("To leave the session, use its own keys (usually C-b d), or press Return and then ~."))
    let options = TerminalReceiver.Options(
      activity: continued.id,
      deviceID: continued.origin.device,
      device: continued.device,
      daemon: arguments.socket
    )
    Signals.hold(TerminalReceiver.signals)
    let result = Mutex<Result<TerminalReceiver.Result, SystemError>?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Task { @Loop in
      do throws(SystemError) {
        let receiver = try TerminalReceiver(options) { outcome in
          Running.receiver = nil
          result.withLock { $0 = .success(outcome) }
          isOver.signal()
        }
        Running.receiver = receiver
        receiver.begin()
      } catch {
        result.withLock { $0 = .failure(error) }
        isOver.signal()
      }
    }
    isOver.wait()
    switch result.withLock({ $0 }) {
    case .success(let result)?: try report(result, continued, output)
    case .failure(let error)?: throw CommandError(.failure, "\(error)")
    case nil: break
    }
  }

  @Loop
  private enum Running {
    static var receiver: TerminalReceiver?
  }

  private static func report(
    _ result: TerminalReceiver.Result,
    _ continued: ContinuedActivity,
    _ output: Output
  ) throws {
    let device = Printable.text(continued.device)
    let name =
      result.session.map { localized("The session \(Printable.text($0, limit: 256))") } ?? localized("The session")
    let again = localized("To return to it, run `baton continue`.")
    switch result.outcome {
    case .ended(.detached, _), .left: output.note(localized("\(name) is still running on \(device).") + " \(again)")
    case .ended(.ended, _): throw CommandError(.notFound, localized("\(name) has ended on \(device)."))
    case .ended(.unshared, _):
      throw CommandError(.refused, localized("\(name) is no longer shared. It's still running on \(device)."))
    case .ended(.expired, _), .lost:
      throw CommandError(
        result.outcome == .lost ? .peerUnreachable : .refused,
        localized("The connection was down for too long. \(name) may still be running on \(device).") + " \(again)"
      )
    case .ended(.notContinued, _):
      throw CommandError(.alreadyContinued, localized("Another program has continued the session."))
    case .ended(.limitReached, _):
      throw CommandError(.limitReached, localized("Too many machines are connected to the session on \(device)."))
    case .ended(.failed, let message):
      throw CommandError(
        .failure,
        localized("\(device) can't show the session. \(Printable.text(message ?? "", limit: 512))")
      )
    case .interrupted:
      throw CommandError(.streamBroken, localized("\(name) is still running on \(device).") + " \(again)")
    case .notOffered: throw CommandError(.refused, localized("\(device) no longer offers the session."))
    case .failed: throw result.error ?? CommandError(.streamReset) as any Error
    }
    guard let signal = result.signal, signal != SIGINT else { return }
    exit(128 + signal)
  }

  // MARK: Layout

  private static func lay(out continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws {
    guard let info = continued.activity.userInfo.flatMap(TerminalInfo.init(json:)) else {
      throw CommandError(.userInfoInvalid)
    }
    let tmux = TerminalChoice.tmux
    let home = ProcessEnvironment.current["HOME"] ?? "/"
    let made: TmuxLayout
    let find = finder(continued, arguments, output)
    do throws(Tmux.Failure) { made = try TmuxLayout(info, on: tmux, home: home, find: find) } catch {
      throw TerminalChoice.failure(error)
    }
    for difference in made.differences { output.note(text(difference)) }
    for command in commands(info) { output.note(localized("Not started: \(command)")) }
    try attach(made.session)
  }

  /// Returns how to find a directory on this machine.
  private static func finder(
    _ continued: ContinuedActivity,
    _ arguments: ParsedArguments,
    _ output: Output
  ) -> (DocumentReference) -> String? {
    let folders = (try? SharedFolders.ofDaemon(path: arguments.socket)) ?? SharedFolders()
    return { document in
      // What this machine offers is at the same path.
      if continued.origin == .local { return LocalDocuments.isDirectory(document.path) ? document.path : nil }
      switch DocumentFinder.find(document, sharedFolders: folders, canFetch: false) {
      case .found(let path, _): return LocalDocuments.isDirectory(path) ? path : nil
      case .ambiguous(let paths, let how):
        output.note("\(Printable.text(document.path, limit: 512)): \(Printable.text(how)):")
        for path in paths { output.note("  \(Printable.text(path))") }
        return nil
      case .fetchable, .notFound: return nil
      }
    }
  }

  private static let shells: Set = ["sh", "bash", "zsh", "fish", "dash", "ksh", "tcsh", "tmux"]

  /// The programs of the session other than shells, for people.
  private static func commands(_ info: TerminalInfo) -> [String] {
    info.windows.prefix(TerminalInfo.windowLimit).flatMap { window in
      window.panes.prefix(TerminalInfo.paneLimit).compactMap { pane in
        guard let command = pane.command, !shells.contains(command) else { return nil }
        let name = Printable.text(command, limit: 128)
        return pane.document.map { localized("\(name) in \(Printable.text($0.path, limit: 512))") } ?? name
      }
    }
  }

  private static func text(_ difference: TmuxLayout.Difference) -> String {
    switch difference {
    case .renamed(let name): localized("A session with that name already exists, so the new one is called \(name).")
    case .missing(let path):
      localized("Not found here: \(Printable.text(path, limit: 512)). Its panes start in your home directory.")
    case .omitted(let count):
      localized(
        count,
        one: "Skipped \(count) window that didn't fit in the offer.",
        other: "Skipped \(count) windows that didn't fit in the offer."
      )
    }
  }

  /// Shows the session: in the tmux of this terminal, or in a new client.
  private static func attach(_ session: TmuxSession) throws {
    let words: [String]
    do throws(Tmux.Failure) {
      if Tmux.surrounding != nil, let pane = ProcessEnvironment.current["TMUX_PANE"] {
        return try session.show(inClientOf: pane)
      }
      words = try session.tmux.words(["attach-session", "-t", session.id], isUTF8: false)
    } catch { throw TerminalChoice.failure(error) }
    try UserShell.become(words)
  }
}
