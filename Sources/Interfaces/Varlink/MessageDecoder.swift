// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into Varlink messages, each of which ends with one NUL.
package struct MessageDecoder: Sendable {
  /// A message is longer than the limit, so the rest of the stream cannot be read.
  package struct MessageTooLong: Error, Equatable, Sendable {}

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Bytes before this belong to messages that were returned.
  // Checked start, end, scanned: never beyond bytes.count, and in this order.
  private var start = 0
  /// Bytes from `start` up to this contain no NUL.
  private var scanned = 0

  /// - Parameter limit: The maximum length of a message without its NUL, in bytes.
  package init(limit: Int) { self.limit = limit }

  /// The number of bytes that were received and are not part of a returned message.
  package var count: Int { bytes.count - start }

  /// Adds bytes. Nothing limits their number, so the caller must stop adding while `count` is too large for it.
  package mutating func receive(_ received: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes += received
  }

  /// Returns the next whole message without its NUL. Nil if more bytes are needed.
  package mutating func next() throws(MessageTooLong) -> ArraySlice<UInt8>? {
    guard let end = bytes[scanned...].firstIndex(of: 0) else {
      scanned = bytes.count
      guard count <= limit else { throw MessageTooLong() }
      return nil
    }
    guard end - start <= limit else { throw MessageTooLong() }
    let message = bytes[start..<end]
    start = end + 1
    scanned = start
    releaseIfEmpty()
    return message
  }

  /// Removes and returns all bytes after the last message. After a call with `upgrade`, they are no longer Varlink.
  package mutating func takeRest() -> [UInt8] {
    let rest = Array(bytes[start...])
    start = bytes.count
    scanned = start
    releaseIfEmpty()
    return rest
  }

  /// Frees the memory if there are no bytes, so that a waiting connection holds none.
  private mutating func releaseIfEmpty() {
    guard start == bytes.count else { return }
    bytes = []
    start = 0
    scanned = 0
  }
}
