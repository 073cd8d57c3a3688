// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Testing

@Suite struct CountersTests {
  private var counters: Counters {
    var counters = Counters()
    counters.count(.sessionsBegun)
    counters.count(.sessionsBegun)
    counters.count(.streamBytesSent, by: 7)
    counters.count(.sessionsEnded, .shuttingDown)
    counters.count(.sessionsEnded, .peerUnreachable)
    counters.count(.sessionsEnded, .peerUnreachable)
    return counters
  }

  @Test func eachIsCountedByItself() {
    #expect(counters[.sessionsBegun] == 2)
    #expect(counters[.streamBytesSent] == 7)
    #expect(counters[.offersSent] == 0)
    #expect(counters[.sessionsEnded] == [.shuttingDown: 1, .peerUnreachable: 2])
    #expect(counters[.dialsFailed] == [:])
  }

  @Test func meetingsAreCounted() {
    var counters = Counters()
    for (number, total) in [Counters.Total.rendezvousSessions, .rendezvousFailures, .relayedSessions].enumerated() {
      counters.count(total, by: UInt64(number + 1))
    }
    #expect(counters.members["rendezvousSessions"] == 1 && counters.members["rendezvousFailures"] == 2)
    #expect(counters.members["relayedSessions"] == 3)
    var exposition = Exposition()
    exposition.add(counters)
    let lines = exposition.text.split(separator: "\n")
    #expect(lines.contains("baton_rendezvous_sessions_total 1") && lines.contains("baton_rendezvous_failures_total 2"))
    #expect(lines.contains("baton_relayed_sessions_total 3"))
  }

  @Test func codingKeepsAll() throws {
    #expect(Counters(json: counters.json) == counters)
    #expect(counters.members["sessionsBegun"] == 2)
    #expect(counters.members["sessionsEnded"] == ["peerUnreachable": 2, "shuttingDown": 1])
    #expect(counters.members["dialsFailed"] == [:])
    checkMembers(of: counters)
    var members = counters.members
    members["sessionsEnded"] = ["peerUnreachable": -1]
    checkRefusal(Counters.self, .object(members), names: "sessionsEnded")
  }

  @Test func unknownReasonsAreOne() {
    var members = counters.members
    members["dialsFailed"] = ["ofTheFuture": 2, "another": 3, "notTLS": 1]
    #expect(Counters(json: .object(members))?[.dialsFailed] == [.internalFailure: 5, .notTLS: 1])
  }

  @Test func aMarkDoesNotHideAQuotationMark() {
    var exposition = Exposition()
    exposition.add(version: "1\"\u{301} 2\r\n\\\u{200D}")
    let line = "baton_info{version=\"1\\\"\u{301} 2\r\\n\\\\\u{200D}\"} 1"
    #expect(exposition.text.utf8.split(separator: 0x0A).contains { $0.elementsEqual(line.utf8) })
  }

  @Test func theExpositionHasEachMetricOnce() {
    var exposition = Exposition()
    exposition.add(version: #"1"\#u{5C}0"#)
    exposition.add(gauge: "discoveryRunning", 1, help: "Whether.")
    exposition.add(counters)
    let lines = exposition.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.last == "", "The last line ends, too")
    #expect(
      lines.prefix(6) == [
        "# HELP baton_info The version of the daemon.", "# TYPE baton_info gauge",
        #"baton_info{version="1\"\\0"} 1"#,
        "# HELP baton_discovery_running Whether.", "# TYPE baton_discovery_running gauge",
        "baton_discovery_running 1",
      ]
    )
    for line in [
      "# TYPE baton_sessions_begun_total counter", "baton_sessions_begun_total 2",
      "baton_stream_bytes_sent_total 7", "baton_offers_sent_total 0",
      #"baton_sessions_ended_total{reason="peerUnreachable"} 2"#,
      #"baton_sessions_ended_total{reason="shuttingDown"} 1"#,
    ] {
      #expect(lines.count { $0 == line } == 1, "\(line)")
    }
    let types = lines.filter { $0.hasPrefix("# TYPE ") }
    #expect(types.count == 2 + Counters.Total.allCases.count + Counters.Cause.allCases.count)
    #expect(Set(types).count == types.count)
  }

  /// In this format, each sample follows the type of its metric, and each type follows a help line.
  @Test func everySampleFollowsItsHead() {
    var exposition = Exposition()
    exposition.add(counters)
    var help = "", type = ""
    for line in exposition.text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.prefix(2) {
      case ["#", "HELP"]: help = words[2]
      case ["#", "TYPE"]:
        type = words[2]
        #expect(type == help && words[3] == "counter" && type.hasSuffix("_total"))
      default: #expect(words[0].prefix { $0 != "{" } == type && UInt64(words[1]) != nil, "\(line)")
      }
    }
  }
}
