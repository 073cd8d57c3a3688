// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Glibc
import VarlinkClient

/// How long a person waits, with a session that is there.
enum Latency {
  /// - Returns: A line of JSON with all times in seconds: from becoming current to being listed by the other machine,
  ///   and from continuing to having the payload.
  static func measure(_ options: Options) throws -> String {
    guard case .baton(let origin, let receiver) = try options.takenRoute else { throw Options.Failure() }
    let ((listed, continued), rate) = try Bulk.beside(options) {
      try Self.times(origin: origin, receiver: receiver, options)
    }
    return #"{"listed":\#(listed),"continued":\#(continued),"bulkBytesPerSecond":\#(rate)}"#
  }

  private static func times(
    origin: String,
    receiver: String,
    _ options: Options
  ) throws -> (listed: [Double], continued: [Double]) {
    var offers = try Handoff.offers(receiver)
    var listed: [Double] = []
    var continued: [Double] = []
    for _ in 0..<options.rounds {
      var start = ContinuousClock.now
      let (held, id) = try Handoff.publish(origin)
      try Handoff.awaitOffer(id, &offers)
      listed.append((ContinuousClock.now - start) / .seconds(1))
      let connection = try ControlConnection(path: receiver)
      start = .now
      _ = try connection.call(Continue.self, .init(id: id))
      continued.append((ContinuousClock.now - start) / .seconds(1))
      withExtendedLifetime(held) {}
      usleep(UInt32(options.pause * 1000))
    }
    return (listed, continued)
  }
}
