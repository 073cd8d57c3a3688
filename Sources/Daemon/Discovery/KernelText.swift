// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files of /proc and /sys. They are read in one go, and reading them never waits.
enum KernelText {
  /// - Parameter limit: The most bytes to read; the rest is left out.
  /// - Returns: An empty string if there is no such file.
  static func read(_ path: String, limit: Int) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: length), buffer.count - length)
      }
      guard count > 0 else { break }
      length += count
    }
    return String(decoding: bytes[..<length], as: UTF8.self)
  }
}
