import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum MetricsCommand: Command {
  static let words = ["metrics"]
  static let synopsis = ""
  static let summary = "Print the daemon's counters for Prometheus."
  static let details = """
    In the text format 0.0.4, for a textfile collector:

      baton metrics > /var/lib/prometheus/node-exporter/baton.prom.new &&
        mv /var/lib/prometheus/node-exporter/baton.prom.new /var/lib/prometheus/node-exporter/baton.prom

    Nothing in it names an activity, a person or a machine. With --json: {"text"}.
    """

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let reply = try ControlConnection(path: arguments.value("socket")).call(GetMetrics.self, Nothing())
    // The text ends with a line feed, which is removed because the output adds one.
    try output.result(reply.json, Printable.lines(reply.text))
  }
}
