import Glibc

/// Which layout the state directory has: the file `layout`. The layout of the first release, 1, has no such file.
///
/// The number stands there twice, so that one damaged byte does not make a later layout of this one.
enum StateLayout {
  /// What this version writes, and the greatest that it reads.
  static let current: UInt64 = 2
  private static let first: UInt64 = 1
  /// Bytes; the numbers of a later version are not much longer.
  private static let length = 64

  /// The layout of what is there; nil where that cannot be told.
  ///
  /// - Throws: `StorageError` where the file cannot be read.
  static func read(in directory: String) throws(StorageError) -> UInt64? {
    guard try Files.isThere(path(in: directory)) else { return first }
    let bytes = try Files.read(path(in: directory), limit: length)
    let words = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == words[1], let number = UInt64(words[0]), number > 0 else { return nil }
    return number
  }

  static func write(in directory: String) throws(StorageError) {
    try Files.write("\(current) \(current)\n".utf8, to: path(in: directory), in: directory)
  }

  static func path(in directory: String) -> String { "\(directory)/layout" }
}
