// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import TestSupport
import Testing

/// Two versions of the protocol in one network.
extension DaemonTests {
  struct VersionTests {
    private static func hello(_ minimum: UInt64, _ maximum: UInt64) -> Hello {
      Hello(minimum: minimum, maximum: maximum, device: "later", epoch: 1, revocations: 0)
    }

    @Test func whoSpeaksThisVersionTooTalks() throws {
      try withTeam { a in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        let member = try RawPeer.admitted(by: a)
        for (minimum, maximum) in [(1, 2), (0, 1), (1, UInt64.max), (0, .max)] as [(UInt64, UInt64)] {
          let peer = try RawPeer(member, port: a.port)
          try peer.send(VersionTests.hello(minimum, maximum))
          let version = try peer.hear("accepted") {
            if case .session(.accepted(let accepted)) = $0 { accepted.version } else { nil }
          }
          #expect(version == 1)
          try peer.send(Accepted(version: 1))
          let offered = try peer.hear("offer") {
            if case .handoff(.offer(let offer)) = $0 { offer.activity.id } else { nil }
          }
          #expect(offered == note.id)
        }
      }
    }

    @Test func whoDoesNotIsToldAndDisturbsNobody() throws {
      try withTeam { a in
        let other = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try other.becomeReady()
        let member = try RawPeer.admitted(by: a)
        for (minimum, maximum) in [(2, 2), (2, 3), (0, 0), (.max, .max)] as [(UInt64, UInt64)] {
          let peer = try RawPeer(member, port: a.port)
          try peer.send(VersionTests.hello(minimum, maximum))
          let reason = try peer.hear("refused") {
            if case .session(.refused(let refused)) = $0 { refused.reason } else { nil }
          }
          #expect(reason == .versionMismatch)
          #expect(try peer.next() == nil)
        }
        let inverted = try RawPeer(member, port: a.port)
        try inverted.send(VersionTests.hello(3, 2))
        #expect(try inverted.farewell() == .protocolViolation)
        try other.send(Ping(number: 5))
        #expect(try other.hear("pong") { if case .session(.pong(let pong)) = $0 { pong.number } else { nil } } == 5)
        #expect(try a.status().sessions == 1)
      }
    }

    @Test func whatALaterVersionAddsIsIgnored() throws {
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        let known = #""minimum":1,"maximum":2,"device":"later","epoch":1,"revocations":0"#
        let hello = "{\(known),\"colours\":[\"red\"],\"to\":{\"a\":1}}"
        try peer.send([0, 0, UInt8(hello.utf8.count), 1] + hello.utf8)
        try peer.send([0, 0, 3, 64, 1, 2, 3])
        try peer.send(Accepted(version: 1))
        try peer.send([0, 0, 0, 255])
        try peer.send(Ping(number: 6))
        #expect(try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong.number } else { nil } } == 6)
      }
    }

    @Test func aVersionThatWasNotOfferedIsAViolation() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        for version: UInt64 in [0, 2, .max] {
          let peer = try RawPeer(member, port: a.port)
          try peer.send(VersionTests.hello(1, 2))
          try peer.send(Accepted(version: version))
          #expect(try peer.farewell() == .protocolViolation)
        }
      }
    }
  }
}
