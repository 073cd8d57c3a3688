// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Glibc
import Handoff
import TLS
import TestSupport
import Testing
import VarlinkClient

extension DaemonTests {
  /// Members that repeat what others say. Only their certificates say who they are.
  struct ImpostorTests {
    @Test func twoDevicesThatSayTheSameAreTwo() throws {
      try withTeam { a in
        let members = try (0..<2).map { _ in try RawPeer.admitted(by: a) }
        let record = try ActivityRecord(id: ActivityID(randomBytes: (1, 2)), activityType: "org.example.x")
        func come(_ member: Credentials) throws -> RawPeer {
          let peer = try RawPeer(member, port: a.port)
          try peer.becomeReady(RawPeer.hello("same", epoch: 7))
          try peer.send(Offer(activity: record, counter: 1))
          return peer
        }
        var peers = try members.map(come)
        try waitUntil("Both offer it") { try Set(a.offers().map(\.deviceID)) == Set(members.map(\.device)) }
        #expect(try a.status().sessions == 2)
        // Each answers for itself, even if the other one reconnects in the meantime.
        for (index, other) in [(0, 1), (1, 0)] {
          let device = members[index].device
          let connection = try a.connect()
          var replies = try connection.begin(Continue.self, Continue.Parameters(id: record.id, deviceID: device))
          let request = try peers[index].hear("fetch") {
            if case .handoff(.fetch(let fetch)) = $0 { fetch.request } else { nil }
          }
          peers[other] = try come(members[other])
          var answer = record
          answer.title = device.text
          try peers[index].send(Payload(request: request, activity: answer))
          #expect(try replies.next()?.activity.title == device.text)
        }
      }
    }

    /// What the device said last time does not block it.
    @Test func aDeviceThatSaidTheGreatestNumbersIsHeardAgain() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let type = "org.example.x"
        let greatest = try RawPeer(member, port: a.port)
        try greatest.becomeReady(RawPeer.hello(epoch: .max, time: .max))
        let first = try ActivityRecord(id: ActivityID(randomBytes: (1, 1)), activityType: type)
        try greatest.send(Offer(activity: first, counter: .max))
        try a.waitForOffer(first.id, by: .session)
        greatest.hangUp()
        try a.waitForSessions(0)
        let peer = try RawPeer(member, port: a.port)
        try peer.becomeReady(RawPeer.hello(epoch: 1, time: UInt64(time(nil))))
        let second = try ActivityRecord(id: ActivityID(randomBytes: (2, 2)), activityType: type)
        try peer.send(Offer(activity: second, counter: 1))
        try a.waitForOffer(second.id, by: .session)
      }
    }
  }
}
