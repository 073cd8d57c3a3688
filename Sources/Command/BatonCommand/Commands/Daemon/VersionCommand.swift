import Activity
import CommandLineOptions
import JSONCoding

enum VersionCommand: Command {
  static let words = ["version"]
  static let summary = "Show the version of this command."

  static let details = "To see the version of the daemon, run `baton status`."

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    try output.result(["version": .string(Version.current)], "baton \(Version.current)")
  }
}
