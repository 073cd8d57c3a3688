// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Localization
import VarlinkClient

/// The options of every command.
enum CommonOptions {
  static let json = Option.flag("json", localized("Print JSON: one document, or one per line for events."))
  static let socket = Option.text(
    "socket",
    "PATH",
    completing: .file,
    localized("The daemon's socket (default: $BATON_SOCKET, then your own daemon's, then the system's).")
  )
  static let help = Option.flag("help", short: "h", localized("Show this help."))

  static let all: [any AnyOption] = [json, socket, help]
}

/// The options of every command that asks the search index.
enum SearchOptions {
  static let socket = Option.text(
    "socket",
    "PATH",
    completing: .file,
    localized("The index's socket (default: $BATON_SEARCH_SOCKET, then baton/search.sock in $XDG_RUNTIME_DIR).")
  )
  static let limit = Option.value("limit", "N", localized("Show at most N results (default: 20).")) {
    text throws(InvalidValue) in
    guard let number = Int(text), (1...Limits.searchResults).contains(number) else {
      throw InvalidValue { localized("'\($0)' must be a number from 1 to \(Limits.searchResults).") }
    }
    return number
  }

  static let common: [any AnyOption] = [CommonOptions.json, socket, CommonOptions.help]
}

/// An option of many commands.
enum TeamOption {
  /// For commands that concern one team.
  static let one = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("The team. Required if you're in more than one.")
  )
}

extension ParsedArguments {
  /// The path of the daemon's socket; nil for the default.
  var socket: String? { self[CommonOptions.socket] }

  /// Connects to the user's search index.
  func connectToIndex() throws(ControlError) -> ControlConnection {
    try ControlConnection(searchPath: self[SearchOptions.socket])
  }

  /// Connects to the daemon.
  func connect() throws(ControlError) -> ControlConnection { try ControlConnection(path: socket) }
}
