// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization
import VarlinkClient

enum DocumentFindCommand: Command {
  static let words = ["document", "find"]
  static let group = HelpGroup.files
  static let summary = localized("Find another machine's file or directory on this one.")
  static let details = localized(
    """
    The command reads the output of `baton document describe --json` from standard
    input. Baton looks in the shared folders, in the clones of the git repository in
    your home directory, and for the same content in the shared folders. The path
    goes to standard output, and how it was found to standard error. If there is
    more than one match, all of them are listed, and the exit status is 9.

    With --json, the output is {"path", "how"} or {"paths", "how"}.
    """
  )

  /// The maximum length of a description in bytes: more than the longest has.
  private static let length = 64 * 1024
  static let examples: [CommandExample] = [
    ("baton document find < app.json", localized("Find the file or directory that app.json describes.")),
    ("baton document find --json < app.json", localized("Print the path as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reference = try read()
    let sharedFolders: SharedFolders
    do throws(ControlError) {
      sharedFolders = try SharedFolders.ofDaemon(path: arguments.socket)
    } catch {
      output.note(localized("Can't list the shared folders: \(error)"))
      sharedFolders = SharedFolders()
    }
    switch DocumentFinder.find(reference, sharedFolders: sharedFolders, canFetch: false) {
    case .found(let path, let how):
      try output.result(["path": .string(path), "how": .string(how)], Printable.text(path))
      output.note(localized("Found \(Printable.text(how))."))
    case .ambiguous(let paths, let how):
      try output.result(
        ["paths": .array(paths.map(JSON.string)), "how": .string(how)],
        paths.map { Printable.text($0) }.joined(separator: "\n")
      )
      throw CommandError(.ambiguous, localized("Choose one: \(how)."))
    case .fetchable(let how), .notFound(let how):
      throw CommandError(.notFound, localized("Can't find \(reference.name): \(how)."))
    }
  }

  private static func read() throws -> DocumentReference {
    let bytes = try Descriptor.readAll(STDIN_FILENO, limit: length + 1)
    guard bytes.count <= length, let json = try? JSON(parsing: bytes, depth: Limits.userInfoDepth),
      let reference = DocumentReference(json: json)
    else {
      throw CommandError(
        .usage,
        localized("Standard input isn't a description. To create one, run `baton document describe --json`.")
      )
    }
    return reference
  }
}
