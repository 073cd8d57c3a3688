// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import Hosts
import Localization

/// The command that the hooks of the shells run, `baton shell-host`. It is not for people, and the help does not show
/// it.
enum ShellHostCommand {
  static let word = "shell-host"

  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(localized("'baton shell-host' takes no arguments.")) }
    try ShellHost.run(describe: LocalDocuments.describe)
  }
}
