// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization

enum DocumentDescribeCommand: Command {
  static let words = ["document", "describe"]
  static let group = HelpGroup.files
  static let summary = localized("Describe a file so that another machine can find it.")
  static let details = localized(
    """
    PATH can also be a directory. The description contains the path, the location in
    a git repository, and the hash of the content. With --json, it is the input for
    `baton document find` on the other machine.
    """
  )
  static let operand: Operand? = .required("PATH", .file)
  static let examples: [CommandExample] = [
    ("baton document describe notes.txt", localized("Describe a file.")),
    (
      "baton document describe --json ~/src/app > app.json",
      localized("Describe a directory for `baton document find`.")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    // Without a daemon, there are no shared folders.
    let sharedFolders = (try? SharedFolders.ofDaemon(path: arguments.socket)) ?? SharedFolders()
    let reference: DocumentReference
    do throws(SystemError) {
      reference = try DocumentFinder.describe(path: arguments.requiredOperand, sharedFolders: sharedFolders)
    } catch {
      throw CommandError(error.code == ENOENT ? .notFound : .failure, localized("Can't describe \(error)."))
    }
    try output.result(reference.json, text(reference, sharedFolders))
  }

  private static func text(_ reference: DocumentReference, _ sharedFolders: SharedFolders) -> String {
    let place = reference.url.flatMap(sharedFolders.place(of:))
    let rows =
      [
        (localized("Path:"), reference.path),
        (localized("Shared folder:"), place.map { $0.path.isEmpty ? $0.name : "\($0.name)/\($0.path)" }),
      ]
      + reference.repositories.map { (localized("Repository:"), $0.text) }
      + [
        (localized("Path inside:"), reference.repositoryPath.map { $0.isEmpty ? "." : $0 }),
        (localized("Commit:"), reference.commit), (localized("Size:"), reference.size.map { "\($0)" }),
        ("SHA-256:", reference.sha256),
      ]
    return Table.lines(rows.map { (label: $0, text: $1.map { Printable.text($0) }) })
  }
}
