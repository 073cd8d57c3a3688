// SPDX-License-Identifier: Apache-2.0

import Activity

/// Counters and gauges as text in Prometheus' exposition format 0.0.4. The labels are reasons and the daemon's version;
/// none was chosen by a user or a peer.
package struct Exposition {
  /// The text. Every line ends with a line feed, because the format requires that of the last one.
  package private(set) var text = ""

  package init() {}

  package mutating func add(_ counters: Counters) {
    for (total, metric) in Self.totals {
      text += metric.head
      addSample(metric.name, counters[total])
    }
    for (cause, metric) in Self.causes {
      text += metric.head
      for (reason, number) in counters[cause].sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        addSample("\(metric.name){reason=\"\(reason.rawValue)\"}", number)
      }
    }
  }

  /// Adds a value that may rise and fall.
  package mutating func add(gauge name: String, _ value: Int, help: String) {
    let metric = Metric(name, "gauge", help)
    text += metric.head
    addSample(metric.name, value)
  }

  /// Adds the version, as the label of a gauge that is always 1.
  package mutating func add(version: String) {
    let metric = Metric("info", "gauge", "The version of the daemon.")
    text += metric.head
    addSample("\(metric.name){version=\"\(Self.escaped(version))\"}", 1)
  }

  private mutating func addSample(_ name: String, _ value: some BinaryInteger) {
    text += name
    text += " "
    text += String(value)
    text += "\n"
  }

  /// The parts that are the same in every exposition. They are made only once, because a program may request
  /// expositions again and again.
  private struct Metric {
    let name: String
    let head: String

    /// - Parameter name: `sessionsBegun` becomes `baton_sessions_begun`, or `baton_sessions_begun_total` for a counter.
    init(_ name: String, _ type: String, _ help: String) {
      var bytes = Array("baton_".utf8)
      for byte in name.utf8 {
        let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isUppercase { bytes.append(UInt8(ascii: "_")) }
        bytes.append(isUppercase ? byte | 0x20 : byte)
      }
      let name = String(decoding: bytes, as: UTF8.self) + (type == "counter" ? "_total" : "")
      self.name = name
      head = "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
  }

  private static let totals = Counters.Total.allCases.map { ($0, Metric($0.rawValue, "counter", $0.help)) }
  private static let causes = Counters.Cause.allCases.map { ($0, Metric($0.rawValue, "counter", $0.help)) }

  private static func escaped(_ text: String) -> String {
    // By scalars, because a quotation mark and a combining mark after it are one character.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Counters.Total {
  /// One sentence without a backslash.
  fileprivate var help: String {
    switch self {
    case .sessionsBegun: "Sessions established with other machines."
    case .offersSent: "Offers sent to other machines over sessions."
    case .offersReceived: "Offers received from other machines over sessions."
    case .activitiesHandedOver: "Activities from this machine that were continued on another."
    case .activitiesContinued: "Activities from other machines that were continued here."
    case .streamsBegun: "Continuation streams that were connected to an app."
    case .streamsCompleted: "Continuation streams that completed in both directions."
    case .streamsResumed: "Times that a continuation stream was resumed over a different session."
    case .streamBytesSent: "Bytes of continuation streams sent to other machines."
    case .streamBytesReceived: "Bytes of continuation streams received from other machines."
    case .advertsPublished: "New and changed adverts published with Avahi."
    case .avahiReconnects: "Times that the connection to Avahi was restored."
    case .rendezvousSessions: "Times that a rendezvous server accepted this machine."
    case .rendezvousFailures: "Times that a connection to a rendezvous server failed or ended."
    case .relayedSessions: "Sessions with other machines that began through a relay."
    case .controlCalls: "Calls on the control socket."
    case .controlFailures: "Calls on the control socket that were answered with an error."
    }
  }
}

extension Counters.Cause {
  fileprivate var help: String {
    switch self {
    case .sessionsEnded: "Sessions with other machines that ended."
    case .connectionsRefused: "Connections from other machines that were refused."
    case .dialsFailed: "Attempts to reach another machine that failed."
    case .handOversRefused: "Activities that other machines requested but didn't get."
    case .continuationsFailed: "Activities from other machines that programs on this machine requested but didn't get."
    case .streamsBroken: "Continuation streams that ended before they were complete."
    }
  }
}
