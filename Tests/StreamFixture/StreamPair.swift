// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Glibc
import TestSupport

/// The two streams of an app, and their outcome.
// Unchecked: Foundation's streams are not Sendable, but these can be used from any thread.
package final class StreamPair: @unchecked Sendable {
  package let outcome: StreamOutcome
  package let input: InputStream
  package let output: OutputStream

  package init(owning descriptor: Int32, leftover: [UInt8] = [], outcome: StreamOutcome = StreamOutcome()) {
    self.outcome = outcome
    (input, output) = ContinuationStreamPair.make(owning: descriptor, leftover: leftover, outcome: outcome)
  }

  /// Makes the streams over a new pair of sockets, whose other end is the daemon's.
  package static func make(
    leftover: [UInt8] = [],
    outcome: StreamOutcome = StreamOutcome()
  ) throws -> (StreamPair, DaemonEnd) {
    let (near, far) = try sockets()
    return (StreamPair(owning: near, leftover: leftover, outcome: outcome), DaemonEnd(far))
  }

  /// Returns two connected, blocking sockets.
  package static func sockets() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestFailure("socketpair: \(errno)")
    }
    return (ends[0], ends[1])
  }

  package func open() {
    input.open()
    output.open()
  }

  package func close() {
    input.close()
    output.close()
  }

  package func setDelegate(_ delegate: (any StreamDelegate)?) {
    input.delegate = delegate
    output.delegate = delegate
  }

  package func schedule(_ mode: RunLoop.Mode, in runLoop: RunLoop = .current) {
    input.schedule(in: runLoop, forMode: mode)
    output.schedule(in: runLoop, forMode: mode)
  }

  package func unschedule(_ mode: RunLoop.Mode, in runLoop: RunLoop = .current) {
    input.remove(from: runLoop, forMode: mode)
    output.remove(from: runLoop, forMode: mode)
  }
}
