// SPDX-License-Identifier: Apache-2.0

import Activity
import Systemd
import Teams

/// The number by which peers distinguish this start of the daemon from earlier ones, kept in the file `epoch`.
enum Epoch {
  /// More milliseconds than any clock shows. A daemon never wrote a greater number.
  private static let greatest: UInt64 = 1 << 62
  /// The maximum length of the file, a number and a line feed, in bytes.
  private static let length = 32

  /// Returns the milliseconds since 1970, but more than at any earlier start, even if the clock was set back.
  ///
  /// If the file can't be written, because the disk is full for example, the daemon starts all the same. Then the next
  /// start may return the same number again if the clock is set back meanwhile.
  ///
  /// - Parameters:
  ///   - directory: The state directory, which holds the last epoch.
  ///   - date: Seconds since 1970.
  /// - Throws: `StorageError` if the file cannot be read.
  static func next(in directory: String, date: Double, log: Log) throws(StorageError) -> UInt64 {
    let path = "\(directory)/epoch"
    var last: UInt64 = 0
    do throws(StorageError) {
      last = try read(path)
    } catch  where error.isMissing {
    } catch  where error.isDamage {
      log.error(
        "The file with the number of the last start couldn't be read, so it was renamed",
        ["error": "\(error)", "file": try Files.setAside(path)]
      )
    }
    let milliseconds = UInt64(exactly: (max(0, date) * 1000).rounded(.down)) ?? 0
    let epoch = max(min(milliseconds, greatest), last + 1)
    do throws(StorageError) {
      try Files.write("\(epoch)\n".utf8, to: path, in: directory)
    } catch {
      log.error("The state directory can't be written, so batond can't save anything new", ["error": "\(error)"])
    }
    return epoch
  }

  private static func read(_ path: String) throws(StorageError) -> UInt64 {
    let bytes = try Files.read(path, limit: length)
    let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    guard let epoch = UInt64(text), epoch < greatest else {
      throw StorageError("read", path, because: "it doesn't contain the number of a start")
    }
    return epoch
  }
}
