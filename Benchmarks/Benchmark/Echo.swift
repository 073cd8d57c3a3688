// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// How long a key that somebody types takes there and back: one byte over a stream that does nothing else.
enum Echo {
  /// - Returns: A line of JSON with all times in seconds.
  static func measure(_ options: Options) throws -> String {
    let (times, rate) = try Bulk.beside(options) { try Self.times(options) }
    return #"{"echo":\#(times),"bulkBytesPerSecond":\#(rate)}"#
  }

  private static func times(_ options: Options) throws -> [Double] {
    let stream = try options.takenRoute.open(1)[0]
    defer { stream.close() }
    let echoing = Work {
      var byte: UInt8 = 0
      while read(stream.near, &byte, 1) == 1, write(stream.near, &byte, 1) == 1 {}
    }
    let times = Result {
      try (0..<options.rounds).map { number in
        let sent = UInt8(truncatingIfNeeded: number)
        var byte = sent
        let start = ContinuousClock.now
        guard write(stream.far, &byte, 1) == 1, read(stream.far, &byte, 1) == 1, byte == sent else {
          throw SystemError("echo", EIO)
        }
        defer { usleep(UInt32(options.pause * 1000)) }
        return (ContinuousClock.now - start) / .seconds(1)
      }
    }
    stream.shutDown()
    try echoing.result()
    return try times.get()
  }
}
