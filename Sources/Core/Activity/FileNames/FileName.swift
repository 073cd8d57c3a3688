// SPDX-License-Identifier: Apache-2.0

/// A name of a file or a folder, and the names to try if it is taken: `notes.txt`, `notes-2.txt`, `notes-3.txt`. In the
/// name of a folder, the part after a dot is not a suffix: `Ubuntu 22.04`, `Ubuntu 22.04-2`.
package struct FileName: Equatable, Sendable {
  private let stem: ArraySlice<UInt8>
  /// With its dot. Empty if there is none.
  private let suffix: ArraySlice<UInt8>

  /// The maximum length in bytes, which is that of Linux.
  package static let length = 255

  package init(_ name: [UInt8], isFolder: Bool) {
    let end = isFolder ? name.endIndex : NameSuffix.start(in: name)
    stem = name[..<end]
    suffix = name[end...]
  }

  /// Returns the name for an attempt, from 1.
  ///
  /// - Parameter length: The maximum length in bytes.
  package func attempt(_ number: Int, length: Int = Self.length) -> [UInt8] {
    let end = (number > 1 ? Array("-\(number)".utf8) : []) + suffix
    // Cuts no character in two.
    var start = stem.prefix(max(1, length - end.count))
    if start.count < stem.count {
      while let last = start.last, last & 0xC0 == 0x80, start.count > 1 { start.removeLast() }
    }
    if start.count < stem.count, start.count > 1, let last = start.last, last & 0xC0 == 0xC0 { start.removeLast() }
    return Array(start) + end
  }
}
