// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import ControlInterface
import Hosts
import JSONCoding
import Localization
import VarlinkClient

/// Continues work in a directory: the terminal changes to the same directory here. If it is not here, ssh opens it on
/// the other machine.
enum DirectoryTaker: ActivityTaker {
  static let type = OpenActivityType.directory

  static func take(_ continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws {
    guard let activity = continued.activity.userInfo.flatMap(DirectoryActivity.init(json:)) else {
      throw CommandError(.failure, localized("The offer doesn't contain a directory."))
    }
    let path = activity.document.path
    if let command = activity.command {
      output.note(localized("The last command there: \(Printable.text(command, limit: CommandText.length))"))
    }
    // What this machine offers is at the same path.
    if continued.origin == .local, LocalDocuments.isDirectory(path) {
      return try TerminalDirectory.change(to: path, arguments, output)
    }
    switch DocumentFinder.find(
      activity.document,
      sharedFolders: LocalDocuments.sharedFolders(socket: arguments.socket),
      canFetch: false
    ) {
    case .found(let path, let how):
      output.note(localized("The directory is \(Printable.text(how))."))
      try TerminalDirectory.change(to: path, arguments, output)
    case .ambiguous(let paths, let how):
      let answers = paths.map { Printable.text($0) }
      guard case .given(let answer) = Question.choose("\(Printable.text(how)):", answers, output) else { return }
      try TerminalDirectory.change(to: paths[answer], arguments, output)
    case .fetchable(let how), .notFound(let how):
      output.note("\(Printable.text(path)): \(Printable.text(how)).")
      try RemoteDirectory(continued, activity, path: path).offer(arguments, output)
    }
  }
}
