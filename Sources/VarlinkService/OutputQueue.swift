import Glibc

/// Bytes that wait until a socket takes them.
struct OutputQueue {
  private var bytes: [UInt8] = []
  /// Bytes before this were written.
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: some Collection<UInt8>) {
    if start > count {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Writes until nothing is left or the socket is full. Returns false if the connection is gone.
  mutating func write(to descriptor: Int32) -> Bool {
    while !isEmpty {
      let written = bytes.withUnsafeBytes { buffer in
        send(descriptor, buffer.baseAddress?.advanced(by: start), count, Int32(MSG_NOSIGNAL))
      }
      guard written >= 0 else {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      start += written
    }
    bytes = []
    start = 0
    return true
  }
}
