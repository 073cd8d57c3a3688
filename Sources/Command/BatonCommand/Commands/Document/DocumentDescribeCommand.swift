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
  static let summary = "Describe a file so that another machine can find it."
  static let details = """
    PATH can be a directory, too. The description has the path, the place in a git
    repository, and the hash of the content. With --json, it is what
    `baton document find` on the other machine reads.
    """
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
      throw CommandError(error.code == ENOENT ? .notFound : .failure, "Cannot describe \(error).")
    }
    try output.result(reference.json, text(reference, sharedFolders))
  }

  private static func text(_ reference: DocumentReference, _ sharedFolders: SharedFolders) -> String {
    var rows = [("Path", reference.path)]
    if let place = reference.url.flatMap(sharedFolders.place(of:)) {
      rows.append(("Shared folder", place.path.isEmpty ? place.name : "\(place.name)/\(place.path)"))
    }
    for repository in reference.repositories { rows.append(("Repository", repository.text)) }
    if let path = reference.repositoryPath { rows.append(("Path there", path.isEmpty ? "." : path)) }
    if let commit = reference.commit { rows.append(("Commit", commit)) }
    if let size = reference.size { rows.append(("Size", "\(size)")) }
    if let sha256 = reference.sha256 { rows.append(("SHA-256", sha256)) }
    return rows.map { label, value in
      label + ":" + String(repeating: " ", count: 15 - label.count - 1) + Printable.text(value)
    }.joined(separator: "\n")
  }
}
