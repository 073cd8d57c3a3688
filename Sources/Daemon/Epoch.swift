import Activity
import Systemd
import Team

/// The number by which peers tell this start of the daemon from earlier ones: the file `epoch`.
enum Epoch {
  /// No clock says so much in milliseconds: a greater number is none that a daemon wrote.
  private static let greatest: UInt64 = 1 << 62
  /// Bytes of the file: a number and a line feed.
  private static let length = 32

  /// Milliseconds since 1970, and more than at any earlier start: also where the clock was set back.
  ///
  /// - Parameters:
  ///   - directory: The state directory, which remembers the last.
  ///   - date: Seconds since 1970.
  /// - Throws: `StorageError`.
  static func next(in directory: String, date: Double, log: Log) throws(StorageError) -> UInt64 {
    let path = "\(directory)/epoch"
    var last: UInt64 = 0
    do throws(StorageError) {
      last = try read(path)
    } catch  where error.isMissing {
    } catch  where error.isDamage {
      log.error(
        "The number of the last start cannot be read, and is set aside",
        ["error": "\(error)", "file": try Files.setAside(path)]
      )
    }
    let milliseconds = UInt64(exactly: (max(0, date) * 1000).rounded(.down)) ?? 0
    let epoch = max(min(milliseconds, greatest), last + 1)
    try Files.write("\(epoch)\n".utf8, to: path, in: directory)
    return epoch
  }

  private static func read(_ path: String) throws(StorageError) -> UInt64 {
    let bytes = try Files.read(path, limit: length)
    let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    guard let epoch = UInt64(text), epoch < greatest else {
      throw StorageError("read", path, because: "it holds no number of a start")
    }
    return epoch
  }
}
