// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Glibc
import Localization

/// Makes a session of tmux with the windows, layouts and directories of another machine's. It runs none of its
/// programs.
package struct TmuxLayout {
  /// What is different here.
  package enum Difference: Equatable, Sendable {
    /// The session got another name, because there was one with this name.
    case renamed(String)
    /// A directory is not here, so the pane starts in the home directory.
    case missing(String)
    /// This many windows, or panes, were not described or are too many.
    case omitted(Int)
  }

  package let session: TmuxSession
  package private(set) var differences: [Difference] = []

  private let tmux: Tmux
  private let home: String
  private let find: (DocumentReference) -> String?

  /// Makes the session. Blocks.
  ///
  /// - Parameters:
  ///   - info: What another machine says. Nothing of it is trusted.
  ///   - home: The directory where panes start whose directory is not here.
  ///   - find: Returns the directory on this machine.
  package init(
    _ info: TerminalInfo,
    on tmux: Tmux,
    home: String,
    find: @escaping (DocumentReference) -> String?
  ) throws(Tmux.Failure) {
    (self.tmux, self.home, self.find) = (tmux, home, find)
    let wanted = TerminalText.name(info.session) ?? "session"
    let windows = info.windows.prefix(TerminalInfo.windowLimit)
    var notes: [Difference] = []
    let first = windows.first?.panes.first?.document
    let made = try Self.make(wanted, tmux, Self.directory(first, home, find, &notes))
    session = TmuxSession(tmux: tmux, id: made.session)
    if made.name != wanted { notes.insert(.renamed(made.name), at: 0) }
    differences = notes
    var active: String?
    for (index, window) in windows.enumerated() {
      let ids = index == 0 ? (window: made.window, pane: made.pane) : try add(window)
      try lay(out: window, ids)
      if window.isActive { active = ids.window }
    }
    if let active { _ = try? tmux.run(["select-window", "-t", active]) }
    let omitted = max(0, info.omittedWindows ?? 0).addingReportingOverflow(info.windows.count - windows.count)
    if omitted.partialValue > 0, !omitted.overflow { differences.append(.omitted(omitted.partialValue)) }
  }

  private static func make(
    _ wanted: String,
    _ tmux: Tmux,
    _ directory: String
  ) throws(Tmux.Failure) -> (name: String, session: String, window: String, pane: String) {
    let format = "#{session_id} #{window_id} #{pane_id}"
    for number in 1...100 {
      let name = number == 1 ? wanted : "\(wanted)-\(number)"
      if (try? tmux.run(["has-session", "-t", "=\(name)"])) != nil { continue }
      let ids = try tmux.run(["new-session", "-d", "-P", "-F", format, "-s", name], directory: directory)
        .split(atScalar: " ").map(String.init)
      guard ids.count == 3 else { break }
      return (name, ids[0], ids[1], ids[2])
    }
    throw .refused(localized("Can't create a session"))
  }

  private mutating func add(_ window: TerminalInfo.Window) throws(Tmux.Failure) -> (window: String, pane: String) {
    let place = Self.directory(window.panes.first?.document, home, find, &differences)
    let format = "#{window_id} #{pane_id}"
    let ids = try tmux.run(["new-window", "-d", "-P", "-F", format, "-t", "\(session.id):"], directory: place)
      .split(atScalar: " ").map(String.init)
    guard ids.count == 2 else { throw .refused(localized("Can't create a window")) }
    return (ids[0], ids[1])
  }

  private mutating func lay(
    out window: TerminalInfo.Window,
    _ ids: (window: String, pane: String)
  ) throws(Tmux.Failure) {
    if let name = TerminalText.name(window.name) { _ = try? tmux.run(["rename-window", "-t", ids.window, name]) }
    var active = window.panes.first?.isActive == true ? ids.pane : nil
    var last = ids.pane
    for pane in window.panes.dropFirst().prefix(TerminalInfo.paneLimit - 1) {
      let place = Self.directory(pane.document, home, find, &differences)
      // A pane cannot be split when it has become too small.
      _ = try? tmux.run(["select-layout", "-t", ids.window, "tiled"])
      // A new pane follows the one that is split.
      last = try tmux.run(["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", last], directory: place)
      if pane.isActive { active = last }
    }
    if let layout = TerminalText.layout(window.layout), window.panes.count <= TerminalInfo.paneLimit {
      _ = try? tmux.run(["select-layout", "-t", ids.window, layout])
    }
    if let active { _ = try? tmux.run(["select-pane", "-t", active]) }
  }

  /// Returns where a pane starts. tmux takes it from the directory in which it is called, because it would expand
  /// `#{…}` in an argument.
  private static func directory(
    _ document: DocumentReference?,
    _ home: String,
    _ find: (DocumentReference) -> String?,
    _ notes: inout [Difference]
  ) -> String {
    guard let document else { return home }
    if let found = find(document) { return found }
    if !notes.contains(.missing(document.path)) { notes.append(.missing(document.path)) }
    return home
  }
}
