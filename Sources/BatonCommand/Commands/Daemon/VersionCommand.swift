import Activity
import JSONCoding

enum VersionCommand: Command {
  static let words = ["version"]
  static let synopsis = ""
  static let summary = "Show the version of this command; `baton status` has the daemon's."

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    try output.result(["version": .string(Version.current)], "baton \(Version.current)")
  }
}
