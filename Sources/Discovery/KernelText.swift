import Glibc

/// What the kernel tells in files of /proc and /sys, which are read at once and never wait.
enum KernelText {
  /// - Parameter limit: Bytes; what is beyond is left out.
  /// - Returns: Nothing where there is no such file.
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
