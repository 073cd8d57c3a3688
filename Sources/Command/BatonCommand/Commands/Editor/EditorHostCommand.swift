// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import Localization

enum EditorHostCommand: Command {
  static let words = ["editor-host"]
  static let group = HelpGroup.scripts
  static let examples: [CommandExample] = []
  static let summary = localized("Connect an editor to Baton (started by its plugin).")
  static let details = localized(
    """
    Editor plugins run this program; you don't need to. It reads and writes one line
    of JSON per message (see Editors.md), and exits at the end of its input.
    """
  )
  static let isHidden = true
  private static let signals = [SIGTERM, SIGINT, SIGHUP]

  @Loop private static var host: EditorHost?

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let socket = arguments.socket
    let wasHeld = RunningFile.takeNote() == held
    Signals.hold(signals)
    Task { @Loop in
      let lines = LineOutput(STDOUT_FILENO) { stop() }
      let host = EditorHost(socket: socket, documents: EditorDocuments(socket: socket)) { lines.write($0.json) }
      Self.host = host
      if wasHeld { host.askForPlace() }
      let input = LineInput.read(STDIN_FILENO, limit: EditorMessage.lineLength) { event in
        switch event {
        // What a newer plugin says is ignored.
        case .line(let line): if let message = EditorMessage(line: line) { host.received(message) }
        case .tooLong, .ended: stop()
        }
      }
      host.onReplaced = { file, isHeld in
        guard lines.isEmpty else { return }
        input.whileAtRest { file.begin(note: isHeld ? held : nil) }
      }
    }
    Signals.wait(for: signals) { number in
      // A person interrupts the editor, not this program.
      if number != SIGINT { stop() }
    }
  }

  /// What a host tells the one that takes its place, if a place in the editor is the current activity.
  private static let held = "held"

  @Loop private static func stop() {
    host?.stop()
    exit(0)
  }
}
