// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A stream that is full while something else is measured.
final class Bulk {
  private let stream: Route.Stream
  private let writing: Work<Void>
  private let reading: Work<Int>
  private let start: ContinuousClock.Instant

  /// Measures something, next to a full stream if the options ask for it.
  ///
  /// - Returns: What was measured, and the bytes per second of that stream.
  static func beside<Value>(_ options: Options, _ measure: () throws -> Value) throws -> (value: Value, rate: Int) {
    guard let beginning = options.beside else { return (try measure(), 0) }
    let bulk = try Bulk(options.takenRoute, beginning: beginning)
    let result = Result { try measure() }
    let rate = try bulk.end()
    return (try result.get(), rate)
  }

  /// Opens it, and gives it so many seconds to reach its speed.
  private init(_ route: Route, beginning: Double) throws {
    let stream = try route.open(1)[0]
    self.stream = stream
    let flow = Flow(from: stream.near, to: stream.far, number: 0)
    start = .now
    writing = Work { flow.write(ends: false) }
    reading = Work { try flow.read(limit: .now + .seconds(3600)) }
    usleep(UInt32(beginning * 1e6))
  }

  /// Returns the bytes per second.
  private func end() throws -> Int {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    stream.shutDown()
    defer { stream.close() }
    try writing.result()
    return Int(Double(try reading.result()) / seconds)
  }
}
