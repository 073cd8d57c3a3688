// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import JSONCoding
import Localization

enum VersionCommand: Command {
  static let words = ["version"]
  static let group = HelpGroup.diagnosis
  static let summary = localized("Show the version of this command.")

  static let details = localized("To see the daemon's version, run `baton status`.")
  static let examples: [CommandExample] = [
    ("baton version", localized("Print the version.")),
    ("baton version --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    try output.result(["version": .string(Version.current)], "baton \(Version.current)")
  }
}
