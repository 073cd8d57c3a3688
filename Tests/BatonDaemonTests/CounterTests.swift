// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Glibc
import JSONCoding
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct CounterTests {
    @Test func aHandOffIsCountedOnBothSides() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(sampleActivity)
        try b.waitForOffer(note.id, by: .session)
        _ = try b.continueActivity(note.id)
        #expect(try b.failure(of: Continue.self, Continue.Parameters(id: note.id)) == .alreadyContinued)
        let stranger = ActivityID(randomBytes: (7, 7))
        #expect(try b.failure(of: Continue.self, Continue.Parameters(id: stranger)) == .activityNotFound)
        try waitUntil("The origin knows") { try a.status().counters[.activitiesHandedOver] == 1 }
        let (origin, receiver) = (try a.status().counters, try b.status().counters)
        #expect(origin[.offersSent] == 1 && receiver[.offersReceived] == 1)
        #expect(receiver[.activitiesContinued] == 1 && origin[.activitiesContinued] == 0)
        #expect(receiver[.continuationsFailed] == [.alreadyContinued: 1, .activityNotFound: 1])
        #expect(origin[.sessionsBegun] >= 1 && receiver[.sessionsBegun] >= 1)
        #expect(origin[.advertsPublished] >= 1)
        #expect(receiver[.controlFailures] == 2 && receiver[.controlCalls] > 4)
      }
    }

    @Test func streamsAreCountedByTheirEnd() throws {
      try withTwoDaemons { a, b in
        var activity = sampleActivity
        activity.supportsContinuationStreams = true
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id, by: .session)
        _ = try b.continueActivity(note.id)
        try note.expect(.continued)
        // One stream is complete, and one is reset.
        for isWhole in [true, false] {
          let opening = onThread { [id = note.id] in try b.openStream(id) }
          let accepted = try note.acceptStream()
          let opened = try opening.wait()
          guard isWhole else {
            try onLoop { [daemon = a.daemon] in daemon.peers.connections.forEach { $0.resetStreams(.streamReset) } }
            continue
          }
          opened.finish()
          accepted.finish()
          #expect(try a.outcome(of: accepted) == nil && b.outcome(of: opened) == nil)
        }
        try waitUntil("Both streams are over") { try a.status().streams == 0 && b.status().streams == 0 }
        for counters in [try a.status().counters, try b.status().counters] {
          #expect(counters[.streamsBegun] == 2 && counters[.streamsCompleted] == 1)
          #expect(counters[.streamsBroken] == [.streamReset: 1])
        }
      }
    }

    @Test func aSessionsEndHasItsReason() throws {
      try withTwoDaemons { a, b in
        try b.stop()
        try a.waitForSessions(0)
        #expect(try a.status().counters[.sessionsEnded] == [.shuttingDown: 1])
      }
    }

    @Test func refusedStrangersAreCounted() throws {
      try withTeam { a in
        for _ in 0..<6 {
          let socket = DescriptorOwner(try RawSocket.connect(port: a.port))
          let text = "GET / HTTP/1.1\r\n\r\n"
          send(socket.descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
          _ = try RawSocket.waitForEnd(socket.descriptor)
        }
        // The log mentions only four of them, but the counter has all.
        try waitUntil("All are counted") {
          try a.status().counters[.connectionsRefused] == [.notTLS: 6]
        }
      }
    }

    @Test func metricsNameNobodyAndNothing() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(sampleActivity)
        try b.waitForOffer(note.id, by: .session)
        _ = try b.continueActivity(note.id)
        let text = try b.call(GetMetrics.self, Nothing()).text
        #expect(text.contains("\nbaton_activities_continued_total 1\n"))
        #expect(text.contains("\nbaton_sessions 1\n"))
        #expect(text.contains("\nbaton_discovery_running 1\n"))
        for canary in ["alpha", "beta", "Demo", "org.example", "Notes", note.id.description] {
          #expect(!text.contains(canary), "\(canary)")
        }
      }
    }
  }
}

private var sampleActivity: ControlActivity {
  var activity = ControlActivity(activityType: "org.example.reading")
  activity.title = "Notes"
  return activity
}
