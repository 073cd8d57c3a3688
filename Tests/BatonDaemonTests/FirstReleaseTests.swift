// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import TestSupport
import Testing

extension DaemonTests {
  /// A machine of Baton 0.1.
  struct FirstReleaseTests {
    /// It takes the first limit for `Limits.streamWindow`, whatever `open` says, and ends the session if less is
    /// allowed later.
    @Test func whatAnOriginAssumesIsNotTakenBack() throws {
      try withMember { a, peer in
        let window = Int(Limits.streamWindow)
        var record = try ActivityRecord(id: ActivityID(randomBytes: (1, 2)), activityType: "org.example.files")
        record.supportsContinuationStreams = true
        let id = record.id
        try peer.send(Offer(activity: record, counter: 1))
        try a.waitForOffer(id)
        let continued = onThread { try a.continueActivity(id) }
        let request = try peer.hear("fetch") { if case .handoff(.fetch(let fetch)) = $0 { fetch.request } else { nil } }
        try peer.send(Payload(request: request, activity: record))
        _ = try continued.wait()
        let opening = onThread { Once(try a.openStream(id)) }
        let stream = try peer.hear("open") { if case .stream(.open(let open)) = $0 { open.stream } else { nil } }
        // Its app writes immediately, so that the bytes come with the answer.
        let first = noise(40_000, seed: 1)
        let early = stride(from: 0, to: first.count, by: 10_000).flatMap { offset in
          RawPeer.dataFrame(stream: stream, offset: UInt64(offset), Array(first[offset..<offset + 10_000]))
        }
        try peer.send(Opened(stream: stream, limit: Limits.streamWindow).frame + early)
        let app = try opening.wait().value
        #expect(try app.read(first.count) == first)
        let told = try peer.hear("acknowledge") { message in
          if case .stream(.acknowledge(let told)) = message { told.progress } else { nil }
        }
        #expect(told.limit >= Limits.streamWindow)
        // It may send that much before it is told more, although nothing of it is read.
        let rest = noise(window - first.count, seed: 2)
        for offset in stride(from: 0, to: rest.count, by: 10_000) {
          let part = Array(rest[offset..<min(offset + 10_000, rest.count)])
          try peer.sendData(stream: stream, offset: UInt64(first.count + offset), part)
        }
        #expect(try app.read(rest.count) == rest)
      }
    }
  }
}

/// What one thread makes and another uses.
private struct Once<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
