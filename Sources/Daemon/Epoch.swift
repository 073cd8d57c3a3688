import Activity
import EventLoop
import Glibc

/// The number by which peers tell this start of the daemon from earlier ones.
enum Epoch {
  /// Milliseconds since 1970, and more than at any earlier start: also where the clock was set back.
  ///
  /// - Parameter directory: The state directory, which remembers the last.
  /// - Throws: `SystemError`.
  static func next(in directory: String, date: Double) throws(SystemError) -> UInt64 {
    let path = "\(directory)/epoch"
    let last = read(path) ?? 0
    let epoch = max(UInt64(max(0, date) * 1000), last == .max ? last : last + 1)
    try write("\(epoch)\n", to: path)
    return epoch
  }

  private static func read(_ path: String) -> UInt64? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Sockets.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return UInt64(String(decoding: bytes.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self))
  }

  private static func write(_ text: String, to path: String) throws(SystemError) {
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open \(temporary)") }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    Sockets.close(descriptor)
    guard isWritten, rename(temporary, path) == 0 else { throw SystemError("write \(path)") }
  }
}
