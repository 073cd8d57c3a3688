import ContinuationStreams
import Foundation
import Glibc
import TestSupport

/// Two streams, and the daemon's end of their socket.
// Unchecked: Foundation's streams are not Sendable, these take any thread.
package final class StreamPair: @unchecked Sendable {
  package let outcome: StreamOutcome
  package let input: InputStream
  package let output: OutputStream

  package init(owning descriptor: Int32, leftover: [UInt8] = [], outcome: StreamOutcome = StreamOutcome()) {
    self.outcome = outcome
    (input, output) = ContinuationStreams.pair(owning: descriptor, leftover: leftover, outcome: outcome)
  }

  /// Over a new pair of sockets.
  package static func make(
    leftover: [UInt8] = [],
    outcome: StreamOutcome = StreamOutcome()
  ) throws -> (StreamPair, DaemonEnd) {
    let (near, far) = try sockets()
    return (StreamPair(owning: near, leftover: leftover, outcome: outcome), DaemonEnd(far))
  }

  /// Two connected sockets, which block.
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
