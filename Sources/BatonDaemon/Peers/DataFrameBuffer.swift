import EventLoop
import Glibc
import PeerProtocol

/// The only buffer in which data frames are made. An app's bytes are read directly to their place in their frames, so
/// that a whole batch is encrypted in one go.
@Loop
enum DataFrameBuffer {
  private static let frameLength = DataFrame.headerLength + DataFrame.maximumCount
  private static let frameCount = 16
  /// How many bytes of a stream one batch holds.
  static let capacity = frameCount * DataFrame.maximumCount

  private static let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: frameCount * frameLength,
    alignment: 64
  )

  /// The places for the bytes of each frame, for `readv`.
  private static let vectors: [iovec] = (0..<frameCount).map { index in
    let place = buffer.baseAddress?.advanced(by: index * frameLength + DataFrame.headerLength)
    return iovec(iov_base: place, iov_len: DataFrame.maximumCount)
  }

  /// Reads up to `limit` bytes.
  ///
  /// - Parameter limit: 1 to ``capacity``.
  /// - Returns: The result of `readv`: 0 at the end, -1 with `errno`.
  static func fill(from descriptor: Int32, _ limit: Int) -> Int {
    let whole = limit / DataFrame.maximumCount
    var vectors = Array(vectors.prefix(whole))
    let rest = limit % DataFrame.maximumCount
    if rest > 0 { vectors.append(iovec(iov_base: Self.vectors[whole].iov_base, iov_len: rest)) }
    return readv(descriptor, vectors, Int32(vectors.count))
  }

  /// Takes bytes from the start of `bytes`.
  ///
  /// - Returns: How many bytes were taken: all, or ``capacity``.
  static func fill(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = min(capacity, bytes.count)
    for (index, start) in stride(from: 0, to: count, by: DataFrame.maximumCount).enumerated() {
      let part = bytes[start..<min(start + DataFrame.maximumCount, count)]
      UnsafeMutableRawBufferPointer(start: vectors[index].iov_base, count: part.count).copyBytes(from: part)
    }
    return count
  }

  /// Passes the first `count` bytes to `body`, one frame's bytes at a time.
  static func forEachPart(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    for (index, start) in stride(from: 0, to: count, by: DataFrame.maximumCount).enumerated() {
      body(UnsafeRawBufferPointer(start: vectors[index].iov_base, count: min(DataFrame.maximumCount, count - start)))
    }
  }

  /// Returns the frames that hold the first `count` bytes.
  ///
  /// - Parameter offset: The offset of the first byte in its direction of the stream.
  static func frames(stream: UInt32, offset: UInt64, count: Int) -> UnsafeRawBufferPointer {
    var length = 0
    for done in stride(from: 0, to: count, by: DataFrame.maximumCount) {
      let part = min(DataFrame.maximumCount, count - done)
      let header = DataFrame.header(stream: stream, offset: offset + UInt64(done), count: part)
      buffer.storeBytes(of: header.0.bigEndian, toByteOffset: length, as: UInt64.self)
      buffer.storeBytes(of: header.1.bigEndian, toByteOffset: length + 8, as: UInt64.self)
      length += DataFrame.headerLength + part
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<length])
  }
}
