import EventLoop
import Glibc

/// Bytes through two connected sockets: one thread writes to one of them, while this thread reads from the other.
enum Throughput {
  private static let blockLength = 256 * 1024

  /// Returns a blocking connection to a Unix socket, which may appear up to `deadline`.
  static func connect(_ path: String, until deadline: ContinuousClock.Instant = .now) throws -> Int32 {
    while access(path, F_OK) != 0, ContinuousClock.now < deadline { usleep(2000) }
    let descriptor = try Sockets.connect(path: path)
    _ = fcntl(descriptor, F_SETFL, 0)
    return descriptor
  }

  /// Measures how long the bytes take.
  ///
  /// - Returns: A line of JSON with bytes, seconds and bytes per second.
  static func measure(from source: Int32, to sink: Int32, bytes: Int) throws -> String {
    let start = ContinuousClock.now
    let writing = Work { write(bytes, to: source) }
    let block = UnsafeMutableRawPointer.allocate(byteCount: blockLength, alignment: 64)
    defer { block.deallocate() }
    var total = 0
    while true {
      let count = read(sink, block, blockLength)
      if count > 0 { total += count } else if count == 0 || errno != EINTR { break }
    }
    try writing.result()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard total == bytes else { throw SystemError("read \(total) of \(bytes) bytes", EIO) }
    return #"{"bytes":\#(total),"seconds":\#(seconds),"bytesPerSecond":\#(Int(Double(total) / seconds))}"#
  }

  private static func write(_ bytes: Int, to descriptor: Int32) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockLength, alignment: 64)
    defer { block.deallocate() }
    for index in block.indices { block[index] = UInt8(truncatingIfNeeded: index &* 31) }
    var rest = bytes
    while rest > 0 {
      let count = Glibc.write(descriptor, block.baseAddress, min(rest, blockLength))
      guard count > 0 else { break }
      rest -= count
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
