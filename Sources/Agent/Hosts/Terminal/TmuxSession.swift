// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Glibc

/// A session of tmux, by its ID, which stays when the session is renamed.
package struct TmuxSession: Sendable {
  package let tmux: Tmux
  /// For example `$3`.
  package let id: String

  package init(tmux: Tmux, id: String) { (self.tmux, self.id) = (tmux, id) }

  /// Finds a session.
  ///
  /// - Parameter name: Its name or ID.
  package init(tmux: Tmux, named name: String) throws(Tmux.Failure) {
    // Without `=`, tmux would also take the begin of a name, and a pattern.
    let target = name.starts(withBytesOf: "$") ? name : "=\(name)"
    self.init(tmux: tmux, id: try tmux.run(["display-message", "-p", "-t", "\(target):", "#{session_id}"]))
  }

  /// Returns the text as tmux has to get it where it expands `#{…}` and `#(…)`.
  package static func literally(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "#" ? [$0, $0] : [$0] }))
  }

  package var exists: Bool { tmux.has(id) }

  package func name() throws(Tmux.Failure) -> String {
    try tmux.run(["display-message", "-p", "-t", "\(id):", "#{session_name}"])
  }

  /// Shows the session in the terminal where the user works: the client that was used last of those that show a pane.
  /// Other clients, of which some may be on other machines, stay where they are.
  package func show(inClientOf pane: String) throws(Tmux.Failure) {
    let own = try tmux.run(["display-message", "-p", "-t", pane, "#{session_id}"])
    let format = "#{client_control_mode} #{client_activity} #{client_name}"
    let clients = try tmux.run(["list-clients", "-t", own, "-F", format]).split(atScalar: "\n")
    let shown = clients.map { $0.split(atScalar: " ", maxSplits: 2) }.filter { $0.count == 3 && $0[0] == "0" }
    guard let last = shown.max(by: { (Int($0[1]) ?? 0) < (Int($1[1]) ?? 0) }) else { return }
    _ = try tmux.run(["switch-client", "-c", String(last[2]), "-t", id])
  }

  /// Makes tmux detach the session's clients when the session ends. With another setting of `detach-on-destroy`, they
  /// would show another session, which is not shared.
  ///
  /// - Returns: The setting that the session had of its own, for ``restoreDetaching(_:)``.
  package func detachAtEnd() throws(Tmux.Failure) -> String? {
    let setting = try tmux.run(["show-options", "-v", "-t", id, Self.detaching])
    _ = try tmux.run(["set-option", "-t", id, Self.detaching, "on"])
    return setting.isEmpty ? nil : setting
  }

  package func restoreDetaching(_ setting: String?) {
    let command = setting.map { ["set-option", "-t", id, Self.detaching, $0] }
    _ = try? tmux.run(command ?? ["set-option", "-u", "-t", id, Self.detaching])
  }

  private static let detaching = "detach-on-destroy"

  /// Describes the session to other machines, without the directories that the user excludes. Blocks.
  ///
  /// - Parameters:
  ///   - resumeTime: In seconds.
  ///   - daemon: The path of the daemon's socket. Nil for the default.
  package func describe(resumeTime: Int, daemon: String?) throws(Tmux.Failure) -> TerminalInfo {
    let excluded = ExcludedDirectories.ofThisUser
    let folders = (try? SharedFolders.ofDaemon(path: daemon)) ?? SharedFolders()
    let format = [
      "#{window_id}", "#{window_active}", "#{pane_active}", "#{window_layout}", "#{pane_current_command}",
      "#{window_name}", "#{pane_current_path}",
    ]
    // The name of a directory can have several lines, of which one looks like another window's.
    let mark = "\(ActivityID.random().description)\t"
    var rows: [String] = []
    for line in try tmux.run(["list-panes", "-s", "-t", id, "-F", mark + format.joined(separator: "\t")])
      .split(atScalar: "\n", omittingEmptySubsequences: false)
    {
      if let row = line.rest(afterBytesOf: mark) {
        rows.append(String(row))
      } else if let row = rows.popLast() {
        rows.append("\(row)\n\(line)")
      }
    }
    // By bytes: to `String`, the two ways to write `é` are the same.
    var documents: [[UInt8]: DocumentReference] = [:]
    let deadline = ContinuousClock.now + Self.documentTime
    var windows: [(id: Substring, window: TerminalInfo.Window)] = []
    for row in rows {
      let fields = row.split(atScalar: "\t", maxSplits: format.count - 1, omittingEmptySubsequences: false)
      guard fields.count == format.count, fields[0].starts(withBytesOf: "@") else { continue }
      if windows.last?.id.hasBytes(of: fields[0]) != true {
        let window = TerminalInfo.Window(
          name: Self.text(fields[5]),
          layout: Self.text(fields[3], limit: TerminalText.layoutLength),
          isActive: fields[1] == "1",
          panes: []
        )
        windows.append((fields[0], window))
      }
      let path = String(fields[6])
      let key = Array(path.utf8)
      if documents[key] == nil, path.starts(withBytesOf: "/"), !excluded.contains(path) {
        let description =
          ContinuousClock.now < deadline ? try? DocumentFinder.describe(path: path, sharedFolders: folders) : nil
        documents[key] = description ?? DocumentReference(path: path)
      }
      let pane = TerminalInfo.Pane(
        document: documents[key],
        command: Self.text(fields[4]),
        isActive: fields[2] == "1"
      )
      guard windows[windows.count - 1].window.panes.count < TerminalInfo.paneLimit else { continue }
      windows[windows.count - 1].window.panes.append(pane)
    }
    return TerminalInfo(
      host: LocalUser.host,
      user: LocalUser.name,
      session: Self.text(try name()[...]),
      windows: windows.map(\.window),
      resumeTime: resumeTime
    )
  }

  /// Returns what the schema allows; nil if that is nothing.
  ///
  /// - Parameter limit: The maximum number of code points.
  private static func text(_ text: Substring, limit: Int = 256) -> String? {
    text.isEmpty ? nil : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
  }

  /// The time in which directories are described. The others are named by their paths. The daemon waits for 3 s.
  private static let documentTime = Duration.seconds(1)
}
