/// Cuts a stream of bytes into Varlink messages, each ended by one NUL.
package struct MessageDecoder: Sendable {
  /// A message is longer than the limit; the stream cannot be read on.
  package struct MessageTooLong: Error, Equatable, Sendable {}

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Bytes before it belong to messages that were given out.
  // Checked start, end, scanned: never behind bytes.count, and in this order.
  private var start = 0
  /// Bytes before it, from `start` on, hold no NUL.
  private var scanned = 0

  /// - Parameter limit: Bytes of a message without its NUL.
  package init(limit: Int) { self.limit = limit }

  /// How many bytes are held that no message was made of yet.
  package var count: Int { bytes.count - start }

  /// Adds bytes. Nothing limits how many: the caller stops adding while `count` is large enough for it.
  package mutating func receive(_ received: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes += received
  }

  /// The next whole message without its NUL; nil where more bytes are needed.
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

  /// All bytes after the last message: after a call to `upgrade` they are not Varlink any more.
  package mutating func takeRest() -> [UInt8] {
    let rest = Array(bytes[start...])
    start = bytes.count
    scanned = start
    releaseIfEmpty()
    return rest
  }

  /// A connection that waits holds no memory.
  private mutating func releaseIfEmpty() {
    guard start == bytes.count else { return }
    bytes = []
    start = 0
    scanned = 0
  }
}
