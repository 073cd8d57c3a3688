import Glibc

/// Bytes that wait until a descriptor takes them.
struct HeldBytes {
  private var bytes: [UInt8]
  private var start = 0

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  var isEmpty: Bool { start == bytes.count }

  var all: [UInt8] { Array(bytes.dropFirst(start)) }

  /// Writes as much as the descriptor takes.
  ///
  /// - Returns: How many bytes were taken; nil if the descriptor is broken.
  mutating func write(to descriptor: Int32) -> Int? {
    guard !isEmpty else { return 0 }
    let count = bytes.withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
    }
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { return nil }
    start += max(0, count)
    return max(0, count)
  }

  /// Adds all of `slices` except the first `count` bytes.
  mutating func append(_ slices: [ArraySlice<UInt8>], after count: Int) {
    if isEmpty {
      (bytes, start) = ([], 0)
    } else if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    var skipped = count
    for slice in slices {
      let part = slice.dropFirst(skipped)
      skipped = max(0, skipped - slice.count)
      bytes += part
    }
  }
}
