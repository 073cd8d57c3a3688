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
    var rows = [(localized("Path:"), reference.path)]
    if let place = reference.url.flatMap(sharedFolders.place(of:)) {
      rows.append((localized("Shared folder:"), place.path.isEmpty ? place.name : "\(place.name)/\(place.path)"))
    }
    for repository in reference.repositories { rows.append((localized("Repository:"), repository.text)) }
    if let path = reference.repositoryPath { rows.append((localized("Path inside:"), path.isEmpty ? "." : path)) }
    if let commit = reference.commit { rows.append((localized("Commit:"), commit)) }
    if let size = reference.size { rows.append((localized("Size:"), "\(size)")) }
    if let sha256 = reference.sha256 { rows.append(("SHA-256:", sha256)) }
    return rows.map { label, value in
      label + String(repeating: " ", count: max(1, 15 - label.count)) + Printable.text(value)
    }.joined(separator: "\n")
  }
}
