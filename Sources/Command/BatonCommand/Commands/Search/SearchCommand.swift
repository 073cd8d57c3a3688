// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Glibc
import JSONCoding
import Localization
import Search
import VarlinkClient

enum SearchCommand: Command {
  static let words = ["search"]
  static let group = HelpGroup.search
  static let summary = localized("Find things you did, here and on your other machines.")
  static let details = localized(
    """
    All WORDS must occur in the title, the keywords or the text of a result. The
    last word may be incomplete. Without WORDS, the command shows suggestions.

    --open opens the best result in its app, or shows its page. To open a different
    one, specify its ID with --result.

    --forget deletes entries instead, from this machine and from those that share
    them: an app's entries, those last used in a time span, one result, or --all. If
    you specify more than one condition, all of them must be true. Deleted text is
    overwritten on the disk.

    With --json, the output is {"results": [{"id", "kind", "title", "application",
    "applicationName", "activityType", "snippet", "titleMatches", "snippetMatches",
    "webpageURL", "device", "lastUsed", "relevance"}]}; with --open {"opened"}; with
    --forget {"deleted"}.
    """
  )
  static let open = Option.flag("open", localized("Open the best result, or the one specified with --result."))
  static let result = Option.text("result", "ID", localized("The result to open or forget, by its ID in the list."))
  static let forget = Option.flag("forget", localized("Delete entries."))
  static let app = Option.text("app", "APP", localized("With --forget: entries from this app."))
  static let since = Option<Double?>.time(
    "since",
    localized("With --forget: entries used in the last TIME, such as 2h.")
  )
  static let before = Option<Double?>.time("before", localized("With --forget: entries last used more than TIME ago."))
  static let all = Option.flag(
    "all",
    localized("With --forget: everything, including a damaged index that was set aside.")
  )
  static let options: [any AnyOption] = [
    SearchOptions.limit, open, result, forget, app, since, before, all, Confirmation.option,
  ]
  static let operand: Operand? = .words("WORDS")
  static let commonOptions = SearchOptions.common
  static let examples: [CommandExample] = [
    ("baton search white whale", localized("Find everything about white whales.")),
    ("baton search --forget --since 2h", localized("Delete the entries from the last two hours.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    try check(arguments)
    let connection = try arguments.connectToIndex()
    if arguments[forget] { return try forget(arguments, connection, output) }
    if arguments[open] { return try open(arguments, connection, output) }
    let reply = try search(arguments, connection)
    if reply.results.isEmpty { output.note(nothing(connection)) }
    if output.isJSON || !reply.results.isEmpty {
      try output.result(reply.json, ResultText.table(reply.results, isColoured: output.isColoured))
    }
  }

  /// Options that do nothing together must not look as if they did.
  private static func check(_ arguments: ParsedArguments) throws(UsageError) {
    let filters =
      [app, result].filter { arguments[$0] != nil }.map(\.declaration.title)
      + [since, before].filter { arguments[$0] != nil }.map(\.declaration.title)
      + (arguments[all] ? [all.declaration.title] : [])
    if arguments[forget] {
      if arguments[open] || arguments.operand != nil {
        throw UsageError(localized("'--forget' can't be combined with WORDS or '--open'."), hint: syntax.hint)
      }
      if filters.isEmpty {
        throw UsageError(
          localized("Choose what to forget: --app, --since, --before, --result or --all."),
          hint: syntax.hint
        )
      }
      if arguments[all], filters.count > 1 {
        throw UsageError(localized("'--all' can't be combined with other conditions."), hint: syntax.hint)
      }
      if let since = arguments[since], let before = arguments[before], since <= before {
        throw UsageError(localized("'--since' must be earlier than '--before'."), hint: syntax.hint)
      }
    } else if arguments[result] != nil, arguments.operand != nil {
      throw UsageError(localized("Use either WORDS or '--result', not both."), hint: syntax.hint)
    } else if let filter = filters.first(where: { $0 != result.declaration.title || !arguments[open] }) {
      let canOpen = filter == result.declaration.title
      throw UsageError(
        canOpen ? localized("'\(filter)' needs '--forget' or '--open'.") : localized("'\(filter)' needs '--forget'."),
        hint: syntax.hint
      )
    }
  }

  /// Why there is no result.
  private static func nothing(_ connection: ControlConnection) -> String {
    guard let status = try? connection.call(GetSearchStatus.self, Nothing()), status.entries == 0 else {
      return localized("No results.")
    }
    return localized("No results. No app has added anything to the index yet.")
  }

  private static func search(
    _ arguments: ParsedArguments,
    _ connection: ControlConnection
  ) throws(ControlError) -> FoundResults {
    try connection.call(
      SearchEntries.self,
      SearchEntries.Parameters(words: arguments.operand ?? "", limit: arguments[SearchOptions.limit])
    )
  }

  private static func open(_ arguments: ParsedArguments, _ connection: ControlConnection, _ output: Output) throws {
    var chosen = arguments[result]
    var name = chosen.map { Printable.text($0) } ?? ""
    var shown: ShownResult?
    if chosen == nil, let best = try search(arguments, connection).results.first {
      (chosen, shown) = (best.id, ShownResult(best))
      name = "\"\(Printable.text(best.title))\""
    }
    guard let chosen else { throw CommandError(.entryNotFound, nothing(connection)) }
    _ = try connection.call(
      OpenResult.self,
      OpenResult.Parameters(result: chosen, activationToken: OpenCommand.activationToken, shown: shown)
    )
    try output.result(["opened": .string(chosen)], localized("Opened \(name)."))
  }

  private static func forget(_ arguments: ParsedArguments, _ connection: ControlConnection, _ output: Output) throws {
    let now = Times.now
    var parameters = ForgetEntries.Parameters()
    parameters.result = arguments[result]
    parameters.application = arguments[app]
    parameters.since = arguments[since].map { now - $0 }
    parameters.until = arguments[before].map { now - $0 }
    parameters.all = arguments[all] ? true : nil
    if arguments[all] {
      let teams = (try? connection.call(GetSearchStatus.self, Nothing()))?.teams ?? []
      try Confirmation.ask(
        teams.isEmpty
          ? localized("This deletes everything in this machine's search index.")
          : localized(
            """
            This deletes everything in this machine's search index. Entries that other machines share with this \
            one are deleted there as well.
            """
          ),
        arguments,
        output
      )
    }
    let deleted = try connection.call(ForgetEntries.self, parameters).deleted
    if deleted == 0, let result = arguments[result] {
      throw CommandError(
        .entryNotFound,
        localized("There's no entry \(Printable.text(result)). Run `baton search` to see the IDs.")
      )
    }
    try output.result(
      ["deleted": .integer(Int64(deleted))],
      localized(deleted, one: "Deleted \(deleted) entry.", other: "Deleted \(deleted) entries.")
    )
  }
}
