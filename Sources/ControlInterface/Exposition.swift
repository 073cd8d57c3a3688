import Activity

/// Counters and gauges as text in Prometheus' exposition format 0.0.4. Labels are reasons and the version of the daemon,
/// nothing that a person or a peer has chosen.
package struct Exposition {
  private var lines: [String] = []

  package init() {}

  /// Every line ends with a line feed, as the format demands of the last one.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  package mutating func add(_ counters: Counters) {
    for total in Counters.Total.allCases {
      let name = Self.metricName(total.rawValue) + "_total"
      head(name, "counter", total.help)
      lines.append("\(name) \(counters[total])")
    }
    for cause in Counters.Cause.allCases {
      let name = Self.metricName(cause.rawValue) + "_total"
      head(name, "counter", cause.help)
      for (reason, number) in counters[cause].sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        lines.append("\(name){reason=\"\(reason.rawValue)\"} \(number)")
      }
    }
  }

  /// What may rise and fall.
  package mutating func add(gauge name: String, _ value: Int, help: String) {
    let name = Self.metricName(name)
    head(name, "gauge", help)
    lines.append("\(name) \(value)")
  }

  /// The version, as the label of a gauge that is always 1.
  package mutating func add(version: String) {
    head("baton_info", "gauge", "The version of the daemon.")
    lines.append("baton_info{version=\"\(Self.escaped(version))\"} 1")
  }

  private mutating func head(_ name: String, _ type: String, _ help: String) {
    lines.append("# HELP \(name) \(help)")
    lines.append("# TYPE \(name) \(type)")
  }

  /// `sessionsBegun` as `baton_sessions_begun`.
  private static func metricName(_ name: String) -> String {
    "baton_" + name.flatMap { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
  }

  private static func escaped(_ text: String) -> String {
    text.flatMap { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.reduce(into: "") { $0.append($1) }
  }
}

extension Counters.Total {
  /// One sentence without a backslash.
  fileprivate var help: String {
    switch self {
    case .sessionsBegun: "Sessions with other machines that became ready."
    case .offersSent: "Offers told to other machines over sessions."
    case .offersReceived: "Offers that other machines told over sessions."
    case .activitiesHandedOver: "Activities of this machine that another one continued."
    case .activitiesContinued: "Activities of other machines that were continued here."
    case .streamsBegun: "Continuation streams that were joined to an app."
    case .streamsCompleted: "Continuation streams that ended whole in both directions."
    case .streamsResumed: "Times that a continuation stream went on over another session."
    case .streamBytesSent: "Bytes of continuation streams sent to other machines."
    case .streamBytesReceived: "Bytes of continuation streams received from other machines."
    case .advertsPublished: "Adverts given to Avahi, new and changed ones."
    case .avahiReconnects: "Times that Avahi came back after it was away."
    case .controlCalls: "Calls on the control socket."
    case .controlFailures: "Calls on the control socket that were answered with an error."
    }
  }
}

extension Counters.Cause {
  fileprivate var help: String {
    switch self {
    case .sessionsEnded: "Sessions with other machines that ended."
    case .connectionsRefused: "Connections of other machines that were refused."
    case .dialsFailed: "Attempts to reach another machine that failed."
    case .handOversRefused: "Fetches of other machines that got no activity."
    case .continuationsFailed: "Continuations that programs of this machine asked for and did not get."
    case .streamsBroken: "Continuation streams that ended before they were whole."
    }
  }
}
