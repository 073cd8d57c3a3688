// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// The tmux server of a user. Its functions block until tmux has answered, for at most ``time``.
package struct Tmux: Sendable {
  package enum Failure: Error, Equatable, Sendable {
    case notInstalled
    /// tmux refused, and said this.
    case refused(String)
    case timedOut
    case system(SystemError)
  }

  /// The path of the server's socket. Nil for the usual one.
  package let socket: String?

  /// The time that one command may take. A server that is busy answers within a second.
  private static let time = Duration.seconds(10)
  /// The maximum length of an answer in bytes: far more than a description of many windows.
  private static let answerLength = 1 << 20

  package init(socket: String?) { self.socket = socket }

  /// The environment of a client that does not belong to the tmux around this process. A server that it starts keeps it
  /// for all shells.
  static var environment: [String] { ProcessEnvironment.current.without("TMUX", "TMUX_PANE", "BATON_CD").list }

  /// The server and the session of this process. Nil if it does not run in tmux.
  package static var surrounding: (tmux: Tmux, session: String)? {
    let parts = (ProcessEnvironment.current["TMUX"] ?? "").split(atScalar: ",", omittingEmptySubsequences: false)
    // The path can contain commas.
    guard parts.count >= 3, let session = parts.last, !session.isEmpty, session.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else {
      return nil
    }
    let socket = parts.dropLast(2).joined(separator: ",")
    return isOwn(socket) ? (Tmux(socket: socket), "$\(session)") : nil
  }

  /// Whether this user's server made the socket. After su, $TMUX may be that of another user, and a client does what
  /// its server says.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
  }

  /// The path of the program.
  ///
  /// - Throws: `notInstalled`.
  package static func program() throws(Failure) -> String {
    guard let path = ProcessEnvironment.current.program("tmux") else { throw .notInstalled }
    return path
  }

  /// The words that call this server.
  package func words(_ command: [String], isUTF8: Bool = true) throws(Failure) -> [String] {
    [try Self.program()] + (isUTF8 ? ["-u"] : []) + (socket.map { ["-S", $0] } ?? []) + command
  }

  /// Runs a command of tmux, and returns what it writes, without the line break at its end.
  ///
  /// - Parameter directory: Where tmux is started: the directory of a new window, if the command does not name one.
  package func run(_ command: [String], directory: String? = nil) throws(Failure) -> String {
    let words = try words(command)
    let result: BlockingProgram.Result
    do throws(SystemError) {
      let options = ChildProgram.Options(environment: Self.environment, directory: directory)
      result = try BlockingProgram.run(words, options, withErrors: true, limit: Self.answerLength, time: Self.time)
    } catch { throw .system(error) }
    guard let status = result.status else { throw .timedOut }
    let text = String(decoding: result.output, as: UTF8.self)
    let trimmed = text.start(beforeBytesOf: "\n").map(String.init) ?? text
    guard status == 0 else { throw .refused(trimmed) }
    return trimmed
  }

  /// Whether the session exists.
  ///
  /// - Parameter session: Its ID, for example `$3`.
  package func has(_ session: String) -> Bool { (try? run(["has-session", "-t", session])) != nil }
}

extension Tmux.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notInstalled: localized("tmux isn't installed. Install the package tmux.")
    case .refused(let text): text.isEmpty ? localized("tmux failed.") : "tmux: \(text)"
    case .timedOut: localized("tmux isn't responding.")
    case .system(let error): "\(error)"
    }
  }
}
