// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

@testable import BatonDaemon

/// A stream that a daemon has left to the next one.
enum SavedStreamFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    get throws {
      var flow = StreamFlow()
      flow.sent(5)
      try flow.received(4, at: 0)
      _ = flow.took(1)
      let stream = SavedStream(
        id: StreamID(peer: Names.peer(1), number: 3),
        token: "token",
        user: 1000,
        isAwaited: true,
        flow: flow,
        replay: [1, 2, 3, 4, 5],
        early: [6, 7],
        held: [8, 9, 10]
      )
      // Numbers that no stream reaches.
      let text = String(decoding: stream.bytes, as: UTF8.self)
      let far = text.replacing(#""received":4"#, with: #""received":18446744073709551615"#)
        .replacing(#""receiveLimit":\#(Limits.streamFirstWindow)"#, with: #""receiveLimit":18446744073709551615"#)
      return [stream.bytes, Array(far.utf8)]
    }
  }

  static let words = [
    "team", "device", "number", "token", "user", "isAwaited", "flow", "early", "sent", "acknowledged", "sendLimit",
    "hasFinishedSending", "isFinishAcknowledged", "received", "taken", "receiveLimit", "hasFinishedReceiving",
    "18446744073709551615", "9223372036854775808",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let stream = SavedStream(bytes: input) else { return }
    same(SavedStream(bytes: stream.bytes), stream)
    var flow = stream.flow
    same(UInt64(stream.replay.count), flow.sentCount - flow.acknowledgedCount)
    same(UInt64(stream.held.count), flow.heldCount)
    hold(flow.heldCount <= Limits.streamWindowMaximum, "\(flow.heldCount) bytes are held")
    // The stream continues.
    let progress = flow.report()
    hold(progress.received == flow.receivedCount, "\(progress)")
    try? flow.resumed(StreamFlow.Progress(received: flow.acknowledgedCount, limit: .max))
    flow.repeated(flow.repeatable)
    flow.sent(min(flow.sendable, 1))
    try? flow.received(1, at: flow.receivedCount)
    _ = flow.took(flow.heldCount)
    _ = flow.report()
  }
}
