import Glibc

/// Bytes that wait until a descriptor that does not block takes them.
struct UnwrittenBytes {
  private var bytes: ArraySlice<UInt8> = []

  var count: Int { bytes.count }
  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// Writes as much as the descriptor takes. What a broken one does not take is dropped: reading reports its end.
  ///
  /// - Parameter write: A system call that writes the beginning of what it is given.
  /// - Returns: Whether nothing is left.
  mutating func write(_ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes(write)
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        // A slice keeps the bytes before it, too.
        bytes = Array(bytes)[...]
        return false
      } else if errno != EINTR {
        bytes = []
      }
    }
    bytes = []
    return true
  }
}
