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
  static let summary = "Find the document of another machine on this one."
  static let details = """
    Standard input is the description that `baton document describe --json` wrote.
    The document is looked for in the shared folders, in the clones of its git
    repositories in your home directory, and by its content in the shared folders.
    Standard output is its path, and standard error says how it was found. If there
    are several, all of them are listed, and the exit status is 9.

    With --json, the output is {"path", "how"} or {"paths", "how"}.
    """

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
      output.note("The shared folders are not known: \(error)")
      sharedFolders = SharedFolders()
    }
    switch DocumentFinder.find(reference, sharedFolders: sharedFolders, canFetch: false) {
    case .found(let path, let how):
      try output.result(["path": .string(path), "how": .string(how)], Printable.text(path))
      output.note("Found \(Printable.text(how)).")
    case .ambiguous(let paths, let how):
      try output.result(
        ["paths": .array(paths.map(JSON.string)), "how": .string(how)],
        paths.map { Printable.text($0) }.joined(separator: "\n")
      )
      throw CommandError(.ambiguous, "Choose one: \(how).")
    case .fetchable(let how), .notFound(let how):
      throw CommandError(.notFound, "\(reference.name) was not found: \(how).")
    }
  }

  private static func read() throws -> DocumentReference {
    let bytes = try Descriptor.readAll(STDIN_FILENO, limit: length + 1)
    guard bytes.count <= length, let json = try? JSON(parsing: bytes, depth: Limits.userInfoDepth),
      let reference = DocumentReference(json: json)
    else {
      throw CommandError(.usage, "Standard input is not a description. `baton document describe --json` writes one.")
    }
    return reference
  }
}
