// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What arrived is not what was sent.
struct Damage: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// One direction of a stream: a thread writes the pattern, and another one reads and compares it.
struct Flow {
  let from: Int32
  let to: Int32
  let number: Int

  /// Writes until a count of bytes, or until a time, and then ends this direction if it is meant to. Returns early if
  /// the stream ends.
  func write(_ bytes: Int = .max, until deadline: ContinuousClock.Instant? = nil, ends: Bool) {
    var pattern = Pattern(number)
    var rest = bytes
    while rest > 0, deadline.map({ ContinuousClock.now < $0 }) ?? true {
      let count = Glibc.write(from, pattern.next, min(rest, Pattern.blockLength))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest -= count
      pattern.advance(count)
    }
    if ends { shutdown(from, Int32(SHUT_WR)) }
  }

  /// Reads until a count of bytes or the end.
  ///
  /// - Parameters:
  ///   - limit: When to give up.
  ///   - each: Called with the count of bytes so far after each block.
  /// - Throws: `Damage` if a byte is not the one that was written.
  /// - Returns: The number of bytes.
  @discardableResult
  func read(
    _ bytes: Int = .max,
    limit: ContinuousClock.Instant,
    each: (Int) -> Void = { _ in }
  ) throws -> Int {
    var pattern = Pattern(number)
    let block = UnsafeMutableRawPointer.allocate(byteCount: Pattern.blockLength, alignment: 64)
    defer { block.deallocate() }
    var turn = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &turn, socklen_t(MemoryLayout<timeval>.size))
    var total = 0
    while total < bytes, ContinuousClock.now < limit {
      let count = Glibc.read(to, block, min(bytes - total, Pattern.blockLength))
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      guard pattern.takes(block, count) else {
        throw Damage("wrong bytes after \(total) of direction \(number)")
      }
      total += count
      each(total)
    }
    return total
  }
}
