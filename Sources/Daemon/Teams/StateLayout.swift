// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc

/// The layout of the state directory: the file `layout`. Layout 1, that of the first release, has no such file.
///
/// The file contains the number twice, so that one damaged byte does not turn this layout into a later one.
enum StateLayout {
  /// The layout that this version writes, and the greatest that it reads.
  static let current: UInt64 = 2
  private static let first: UInt64 = 1
  /// The most bytes of the file. The numbers of a later version are not much longer.
  private static let length = 64

  /// Reads the current layout; nil if it cannot be determined.
  ///
  /// - Throws: `StorageError` if the file cannot be read.
  static func read(in directory: String) throws(StorageError) -> UInt64? {
    guard try Files.isThere(path(in: directory)) else { return first }
    let bytes = try Files.read(path(in: directory), limit: length)
    let words = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).split(atScalar: " ")
    guard words.count == 2, words[0] == words[1], let number = UInt64(words[0]), number > 0 else { return nil }
    return number
  }

  static func write(in directory: String) throws(StorageError) {
    try Files.write("\(current) \(current)\n".utf8, to: path(in: directory), in: directory)
  }

  static func path(in directory: String) -> String { "\(directory)/layout" }
}
