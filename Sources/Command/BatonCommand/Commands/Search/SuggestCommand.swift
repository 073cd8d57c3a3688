// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import JSONCoding
import Localization
import Search
import VarlinkClient

enum SuggestCommand: Command {
  static let words = ["suggest"]
  static let group = HelpGroup.search
  static let summary = localized("Suggest things you're likely to do next.")
  static let details = localized(
    """
    Baton suggests activities that apps made eligible for prediction: those
    you used often, recently, and at this time of day. None of this leaves the
    machine. To turn it off, set Suggestions=no in agent.conf(5).

    With --json, the output is the same as for `baton search`.
    """
  )
  static let options: [any AnyOption] = [SearchOptions.limit]
  static let commonOptions = SearchOptions.common
  static let examples: [CommandExample] = [
    ("baton suggest", localized("See suggestions.")),
    ("baton suggest --limit 3", localized("See the best three.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let parameters = SuggestEntries.Parameters(limit: arguments[SearchOptions.limit])
    let reply = try arguments.connectToIndex().call(SuggestEntries.self, parameters)
    if reply.results.isEmpty { output.note(localized("No suggestions yet.")) }
    if output.isJSON || !reply.results.isEmpty {
      try output.result(reply.json, ResultText.table(reply.results, isColoured: output.isColoured))
    }
  }
}
