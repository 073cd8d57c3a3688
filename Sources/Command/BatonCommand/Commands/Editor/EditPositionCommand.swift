// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import Localization

enum EditPositionCommand: Command {
  static let words = ["edit-position"]
  static let group = HelpGroup.terminals
  static let summary = localized("Offer a position in a file, from any editor.")
  static let details = localized(
    """
    FILE can be followed by :LINE, or by :LINE:COLUMN; both count from 1. The
    command stays in the foreground. To stop offering, press Ctrl+C. The machine
    that continues the offer gets the file if it doesn't have it.

    With -, each line of standard input is such a position and replaces the previous
    one; the offer ends when the input does. Private files (see Editors.md) aren't
    offered:

        my-editor --print-positions | baton edit-position -

    With --json, each line is {"event", "device"}; the event is "current",
    "continued" or "resigned".
    """
  )
  static let operand: Operand? = .required("FILE[:LINE[:COLUMN]]", .file)
  /// In bytes: a path, a line and a column.
  private static let lineLength = EditorPosition.pathLength + 32

  @Loop private static var running: EditPosition?
  static let examples: [CommandExample] = [
    ("baton edit-position notes.txt:12", localized("Offer line 12 of a file.")),
    ("my-editor --print-positions | baton edit-position -", localized("Offer each position that an editor prints.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let text = arguments.operand ?? "-"
    let socket = arguments.socket
    // What the user names is not private to the user.
    let first = text == "-" ? nil : try position(text)
    TeamText.noteWithoutTeam(arguments, output)
    Task { @Loop in
      let running = EditPosition(socket: socket, output: output, isFollowing: first == nil)
      Self.running = running
      if let first { return running.show(first.position) }
      LineInput.read(STDIN_FILENO, limit: lineLength) { event in
        switch event {
        case .line(let line):
          do {
            let place = try position(String(decoding: line, as: UTF8.self))
            running.follow(place.position, named: place.name)
          } catch { output.note("\(error)") }
        case .tooLong: running.end(.failure, localized("A line of standard input is too long."))
        case .ended: running.end(.success, nil)
        }
      }
    }
    // Nothing ends this thread's wait. A signal ends the process, and so the activity.
    while true { pause() }
  }

  /// - Returns: The position, with the path without links; and the absolute name that `text` says.
  private static func position(_ text: String) throws -> (position: EditorPosition, name: String) {
    let place = FilePosition(text) { access($0, F_OK) == 0 }
    guard let path = realpath(place.path, nil) else {
      throw CommandError(.failure, localized("There's no file \(Printable.text(place.path))."))
    }
    defer { free(path) }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError(.failure, localized("\(Printable.text(place.path)) isn't a file."))
    }
    let directory = place.path.starts(withBytesOf: "/") ? nil : getcwd(nil, 0)
    defer { free(directory) }
    let name = (directory.map { String(cString: $0) + "/" } ?? "") + place.path
    return (EditorPosition(path: String(cString: path), line: place.line, column: place.column), name)
  }
}
