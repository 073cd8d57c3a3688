// SPDX-License-Identifier: Apache-2.0

import Foundation

extension InputStream {
  /// Reads, blocking, until there is nothing more.
  ///
  /// - Returns: The bytes, and the result of the last read.
  package func readAll(_ length: Int = 64 * 1024) -> (bytes: [UInt8], last: Int) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: length)
    while true {
      let count = read(&buffer, maxLength: length)
      guard count > 0 else { return (bytes, count) }
      bytes += buffer.prefix(count)
    }
  }
}

extension OutputStream {
  /// Writes, blocking, until all bytes are taken or a write fails.
  ///
  /// - Returns: How many bytes were written.
  package func writeAll(_ bytes: [UInt8]) -> Int {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { write($0, maxLength: bytes.count) } ?? 0
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }
}
