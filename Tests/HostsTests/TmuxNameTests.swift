// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Foundation
import Hosts
import TestSupport
import Testing

/// What tmux itself makes of names from another machine.
@Suite(.isolated, .enabled(if: ProcessEnvironment.current.program("tmux") != nil, "tmux is not installed"))
final class TmuxNameTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID())").path
  private var tmux: Tmux { Tmux(socket: "\(directory)/s") }
  private var marker: String { "\(directory)/pwned" }

  init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  @Test(arguments: ["\u{D4E}#", "\u{600}#", "#\u{301}#", "\u{1F1E9}#", "\u{D4E}##"])
  func noCommandInANameRuns(sign: String) throws {
    let name = "\(sign)(touch \(marker))"
    let window = TerminalInfo.Window(name: name, layout: nil, isActive: true, panes: [])
    let info = TerminalInfo(host: nil, user: nil, session: name, windows: [window, window], resumeTime: nil)
    defer { _ = try? tmux.run(["kill-server"]) }
    let made = try TmuxLayout(info, on: tmux, home: directory) { _ in nil }
    // tmux starts what a name says before it answers, and runs this after it.
    _ = try tmux.run(["run-shell", "sleep 0.2"])
    #expect(!FileManager.default.fileExists(atPath: marker))
    #expect(try made.session.name().contains("(touch"))
  }

  @Test func aMarkDoesNotMakeANameAnOption() throws {
    let window = TerminalInfo.Window(name: "-\u{301}t", layout: nil, isActive: true, panes: [])
    let info = TerminalInfo(host: nil, user: nil, session: "-\u{200D}A", windows: [window], resumeTime: nil)
    defer { _ = try? tmux.run(["kill-server"]) }
    let made = try TmuxLayout(info, on: tmux, home: directory) { _ in nil }
    #expect(try made.session.name() == "A")
    #expect(try tmux.run(["list-windows", "-t", made.session.id, "-F", "#{window_name}"]) == "t")
  }

  @Test(arguments: ["#(touch x)", "\u{D4E}#(touch x)", "#\u{301}{pid}", "##", "a#", "é"])
  func tmuxSeesALineAsItIs(text: String) throws {
    let line = TmuxSession.literally(text)
    #expect(
      line.utf8.filter { $0 == UInt8(ascii: "#") }.count == 2 * text.utf8.filter { $0 == UInt8(ascii: "#") }.count
    )
    defer { _ = try? tmux.run(["kill-server"]) }
    _ = try tmux.run(["new-session", "-d", "-s", "x"])
    #expect(try tmux.run(["display-message", "-p", "-t", "x:", line]).utf8.elementsEqual(text.utf8))
  }
}
