// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes through streams: for each direction of each stream, one thread writes and another one reads.
struct Throughput {
  private let options: Options

  init(_ options: Options) { self.options = options }

  /// - Returns: A line of JSON.
  func measure() throws -> String {
    let streams = try options.takenRoute.open(options.streams)
    defer { for stream in streams { stream.close() } }
    let flows = streams.indices.flatMap { index -> [Flow] in
      let stream = streams[index]
      let there = Flow(from: stream.near, to: stream.far, number: 2 * index)
      let back = Flow(from: stream.far, to: stream.near, number: 2 * index + 1)
      return options.isBothWays ? [there, back] : [there]
    }
    if let bytes = options.bytes { return try measure(flows, streams, bytes: bytes) }
    return try measure(flows, streams, seconds: options.seconds ?? 1)
  }

  /// All flows together carry the bytes. The time ends with the last one.
  private func measure(_ flows: [Flow], _ streams: [Route.Stream], bytes: Int) throws -> String {
    let share = max(1, bytes / flows.count)
    let start = ContinuousClock.now
    let limit = start + .seconds(options.limit)
    let writing = flows.map { flow in Work { flow.write(share, ends: false) } }
    let reading = flows.map { flow in
      Work { () throws -> (count: Int, end: ContinuousClock.Instant) in
        var end = start
        return (try flow.read(share, limit: limit) { _ in end = .now }, end)
      }
    }
    let results = Result { try reading.map { try $0.result() } }
    for stream in streams { stream.shutDown() }
    for work in writing { try work.result() }
    let arrived = try results.get()
    let total = arrived.reduce(0) { $0 + $1.count }
    let isComplete = total == share * flows.count
    guard isComplete || ContinuousClock.now >= limit else {
      throw Damage("\(total) of \(share * flows.count) bytes arrived")
    }
    let seconds = ((arrived.map(\.end).max() ?? start) - start) / .seconds(1)
    return Self.line(total, isComplete ? seconds : options.limit, #""isComplete":\#(isComplete)"#)
  }

  /// What arrives in that time, and in its second half, when a connection has found its speed.
  private func measure(_ flows: [Flow], _ streams: [Route.Stream], seconds: Double) throws -> String {
    let start = ContinuousClock.now
    let (half, end) = (start + .seconds(seconds / 2), start + .seconds(seconds))
    let writing = flows.map { flow in Work { flow.write(until: end, ends: true) } }
    let reading = flows.map { flow in
      Work { () throws -> (whole: Int, half: Int) in
        var counts = (whole: 0, half: 0)
        // What is on its way is read, too, so that the next round has an empty route.
        try flow.read(limit: end + .seconds(options.limit)) { total in
          let now = ContinuousClock.now
          if now < half { counts.half = total }
          if now < end { counts.whole = total }
        }
        return counts
      }
    }
    let results = Result { try reading.map { try $0.result() } }
    for stream in streams { stream.shutDown() }
    for work in writing { try work.result() }
    let arrived = try results.get()
    let total = arrived.reduce(0) { $0 + $1.whole }
    let late = total - arrived.reduce(0) { $0 + $1.half }
    return Self.line(total, seconds, #""lateBytesPerSecond":\#(Int(Double(late) / seconds * 2))"#)
  }

  private static func line(_ bytes: Int, _ seconds: Double, _ more: String) -> String {
    #"{"bytes":\#(bytes),"seconds":\#(seconds),"bytesPerSecond":\#(Int(Double(bytes) / seconds)),\#(more)}"#
  }
}
