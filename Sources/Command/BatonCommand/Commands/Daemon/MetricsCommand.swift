// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MetricsCommand: Command {
  static let words = ["metrics"]
  static let group = HelpGroup.diagnosis
  static let summary = localized("Print the daemon's counters for Prometheus.")
  static let details = localized(
    """
    The output is in the text format 0.0.4, for a textfile collector:

        cd /var/lib/prometheus/node-exporter
        baton metrics > baton.prom.new && mv baton.prom.new baton.prom

    It never contains the name of an activity, a person or a machine.

    With --json, the output is {"text"}.
    """
  )
  static let examples: [CommandExample] = [
    ("baton metrics", localized("Print all counters.")),
    ("baton metrics > baton.prom", localized("Write them to a file.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(GetMetrics.self, Nothing())
    // The text ends with a line feed, which is removed because the output adds one.
    try output.result(reply.json, Printable.lines(reply.text))
  }
}
