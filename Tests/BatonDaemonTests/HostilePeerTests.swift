// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import TestSupport
import Testing

extension DaemonTests {
  struct HostilePeerTests {
    @Test func aViolationEndsTheSessionOfWhoDidItAndNoOther() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        let member = try RawPeer.admitted(by: a)
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        func frame(_ type: UInt8, _ text: String) -> [UInt8] {
          [0, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF), type] + text.utf8
        }
        let violations: [(String, [UInt8])] = [
          ("an unknown type", frame(20, "{}")),
          ("type 0", frame(0, "{}")),
          ("the longest length", [0xFF, 0xFF, 0xFF, 5]),
          ("a length past the limit", [0, 0x3F, 0xFD, 5]),
          ("no JSON", frame(5, "ping")),
          ("no object", frame(5, "[1]")),
          ("not UTF-8", [0, 0, 2, 5, 0xFF, 0xFE]),
          ("an empty payload", frame(5, "")),
          ("a negative number", frame(5, "{\"number\":-1}")),
          ("a number past 64 bits", frame(5, "{\"number\":18446744073709551616}")),
          ("nesting", frame(5, "{\"number\":1,\"x\":\(deep)}")),
          ("hello again", RawPeer.hello().frame),
          ("accepted again", Accepted(version: 1).frame),
          ("a data frame without a byte", [0, 0, 12, 15] + Array(repeating: 0, count: 12)),
          ("a stream number past 32 bits", frame(13, "{\"stream\":4294967296,\"activity\":\"\(note.id)\"}")),
          ("the type of joining", frame(32, "{}")),
        ]
        for (name, bytes) in violations {
          let peer = try RawPeer(member, port: a.port)
          try peer.becomeReady()
          try peer.send(bytes)
          #expect(try peer.farewell() == .protocolViolation, "\(name)")
          #expect(try peer.nextFrame() == nil, "\(name)")
        }
        try a.waitForSessions(1)
        #expect(try b.continueActivity(note.id).device == "alpha")
      }
    }

    @Test func helloComesFirstAndThenAccepted() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let openings: [(String, [any MessageBody])] = [
          ("ping", [Ping(number: 1)]),
          ("accepted", [Accepted(version: 1)]),
          ("hello twice", [RawPeer.hello(), RawPeer.hello()]),
          ("a version that is not common", [RawPeer.hello(), Accepted(version: 2)]),
          (
            "a long name",
            [
              Hello(minimum: 1, maximum: 1, device: String(repeating: "x", count: 64), epoch: 1, revocations: 0)
            ]
          ),
          ("versions upside down", [Hello(minimum: 2, maximum: 1, device: "x", epoch: 1, revocations: 0)]),
        ]
        for (name, messages) in openings {
          let peer = try RawPeer(member, port: a.port)
          for message in messages { try peer.send(message) }
          #expect(try peer.farewell() == .protocolViolation, "\(name)")
        }
        let peer = try RawPeer(member, port: a.port)
        try peer.send(RawPeer.dataFrame(stream: 1, offset: 0, [1]))
        #expect(try peer.farewell() == .protocolViolation)
        #expect(try a.status().sessions == 0)
      }
    }

    @Test func aLaterVersionIsRefusedByName() throws {
      try withTeam { a in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try peer.send(Hello(minimum: 2, maximum: 3, device: "x", epoch: 1, revocations: 0))
        let reason = try peer.hear("refused") {
          if case .session(.refused(let refused)) = $0 { refused.reason } else { nil }
        }
        #expect(reason == .versionMismatch)
      }
    }

    @Test func extensionsAreIgnored() throws {
      try withMember { a, peer in
        for type: UInt8 in [64, 69, 255] { try peer.send([0, 0, 3, type, 1, 2, 3]) }
        try peer.send([0, 0, 27, 5] + Array("{\"number\":7,\"new\":[1,{}]}  ".utf8))
        let number = try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong.number } else { nil } }
        #expect(number == 7)
      }
    }

    @Test func bytesThatBreakTheRulesOfAStreamEndTheSession() throws {
      try withStreamToRawPeer { a, open in
        let window = Int(Limits.streamWindow)
        let cases: [(String, @Sendable (RawPeer) throws -> Void)] = [
          ("not the next bytes", { try $0.sendData(stream: $0.firstStream, offset: 1, [1]) }),
          ("an offset past everything", { try $0.sendData(stream: $0.firstStream, offset: .max, [1]) }),
          ("an end at another length", { try $0.send(Finish(stream: $0.firstStream, length: 1)) }),
          (
            "bytes after the end",
            {
              try $0.send(Finish(stream: $0.firstStream, length: 0))
              try $0.sendData(stream: $0.firstStream, offset: 0, [1])
            }
          ),
          (
            "an end acknowledged that was not there",
            {
              let end = StreamFlow.Progress(received: 0, limit: Limits.streamWindow, isFinished: true)
              try $0.send(Acknowledge(stream: $0.firstStream, progress: end))
            }
          ),
          (
            "more taken than sent",
            {
              try $0.send(
                Acknowledge(stream: $0.firstStream, progress: .init(received: 1, limit: .max))
              )
            }
          ),
          (
            "a limit taken back",
            { try $0.send(Acknowledge(stream: $0.firstStream, progress: .init(received: 0, limit: 1))) }
          ),
          (
            "bytes past the window",
            { peer in
              // The app does not read, but each byte that its socket takes opens the window by one. So go far beyond
              // the window.
              let block = noise(16_000, seed: 1)
              var offset: UInt64 = 0
              while offset < UInt64(window) * 4 {
                try peer.sendData(stream: peer.firstStream, offset: offset, block)
                offset += UInt64(block.count)
              }
            }
          ),
        ]
        for (name, violate) in cases {
          let (peer, app) = try open()
          // The daemon may end the session while the peer is still sending.
          try? violate(peer)
          #expect(try a.outcome(of: app) == .streamInterrupted, "\(name)")
          try a.waitForSessions(0)
        }
      }
    }

    @Test func bytesInTheSmallestFramesArrive() throws {
      try withStreamToRawPeer { a, open in
        let (peer, app) = try open()
        let bytes = noise(40_000, seed: 9)
        var frames: [UInt8] = []
        for (offset, byte) in bytes.enumerated() {
          frames += RawPeer.dataFrame(stream: peer.firstStream, offset: UInt64(offset), [byte])
        }
        try peer.send(frames)
        try peer.send(Finish(stream: peer.firstStream, length: UInt64(bytes.count)))
        #expect(try app.readAll() == bytes)
        app.finish()
        try peer.acknowledgeEnd(of: peer.firstStream)
        #expect(try a.outcome(of: app) == nil)
      }
    }

    @Test func bytesForStreamsThatAreNotThereAreIgnored() throws {
      try withStreamToRawPeer { a, open in
        let (peer, app) = try open()
        for stream: UInt32 in [0, 3 - peer.firstStream, peer.firstStream + 2, .max] {
          try peer.sendData(stream: stream, offset: 5, [1])
          try peer.send(Acknowledge(stream: stream, progress: .init(received: 5, limit: 5)))
          try peer.send(Finish(stream: stream, length: 9))
          try peer.send(Reset(stream: stream, reason: .streamReset))
          try peer.send(Opened(stream: stream, limit: 1))
        }
        try peer.sendData(stream: peer.firstStream, offset: 0, [7])
        #expect(try app.read(1) == [7])
      }
    }

    @Test func aStreamNumberIsNotUsedAgain() throws {
      try withMember { a, peer in
        let note = try a.advertiseFiles()
        let first = try peer.continueWithStream(note)
        try peer.send(Open(stream: peer.firstStream, activity: note.id))
        #expect(try peer.farewell() == .protocolViolation)
        #expect(try a.outcome(of: first) == .streamInterrupted)
      }
    }

    @Test func aPeerThatDoesNotReadIsLetGo() throws {
      try withMember { a, peer in
        // Each ping must be answered. Answers that are not read wait, but only up to a limit.
        let pings = Array(repeating: Ping(number: .max).frame, count: 1_000).flatMap(\.self)
        var sent = 0
        while (try? peer.send(pings)) != nil, sent < 100 << 20 { sent += pings.count }
        #expect(sent < 100 << 20)
        try a.waitForSessions(0)
      }
    }

    @Test func aPeerThatGoesOnTalkingAfterItWasToldToLeaveCostsNothing() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        let before = try memoryInUse()
        try peer.send([0xFF, 0xFF, 0xFF, 5])
        let junk = noise(1 << 20, seed: 1)
        for _ in 0..<64 { try peer.send(junk) }
        #expect(try memoryInUse() < before + 16 << 20)
        try clock.pass(.seconds(2))
      }
    }

    @Test func aMemberHoldsOnlySoManyConnectionsThatAreNotReady() throws {
      _ = try ManualClock.install()
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let before = Descriptors.count
        let idle = try (0..<20).map { _ in try RawPeer(member, port: a.port) }
        // While the daemon holds a connection, it takes two descriptors of this process, and then one.
        try waitUntil("Most were closed") { Descriptors.count <= before + idle.count + Limits.connectionsPerPeer }
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try peer.becomeReady()
        _ = idle
      }
    }

    @Test func counterAndEpochOfOnePeerMeanNothingToOthers() throws {
      try withTwoDaemons { a, b in
        let peer = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try peer.send(RawPeer.hello("gamma", epoch: .max))
        guard case .session(.hello) = try peer.next() else { throw TestFailure("No hello") }
        try peer.send(Accepted(version: 1))
        guard case .session(.accepted) = try peer.next() else { throw TestFailure("No accepted") }
        let record = try ActivityRecord(id: ActivityID(randomBytes: (1, 2)), activityType: "org.example.x")
        try peer.send(Offer(activity: record, counter: .max))
        try a.waitForOffer(record.id, by: .session)
        let page = try b.advertise(ControlActivity(activityType: "org.example.pages"))
        try a.waitForOffer(page.id, by: .session)
        try peer.send(Withdraw(activity: record.id, counter: .max))
        try waitUntil("It is withdrawn") { try a.offers().map(\.id) == [page.id] }
      }
    }
  }
}

/// Runs `body` with a daemon and a function that opens stream 1 from a new raw peer to an app of that daemon.
private func withStreamToRawPeer(
  _ body: (DaemonFixture, () throws -> (RawPeer, StreamEnd)) throws -> Void
) throws {
  try withTeam { a in
    let member = try RawPeer.admitted(by: a)
    var advertisements: [Advertisement] = []
    try body(a) {
      let note = try a.advertiseFiles()
      advertisements.append(note)
      let peer = try RawPeer(member, port: a.port)
      try peer.becomeReady()
      _ = try peer.continueActivity(note.id)
      try note.expect(.continued)
      return (peer, try peer.openStream(peer.firstStream, note))
    }
  }
}
