/// A name of a file or a folder, and the names to try if it is taken: `notes.txt`, `notes-2.txt`, `notes-3.txt`.
package struct FileName: Equatable, Sendable {
  private let stem: ArraySlice<UInt8>
  /// With its dot. Empty if there is none.
  private let suffix: ArraySlice<UInt8>

  /// The maximum length of a suffix in bytes. What is longer is no suffix.
  private static let suffixLength = 20

  package init(_ name: [UInt8]) {
    // A dot at the start hides the file.
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    var end = dot.flatMap { name.count - $0 <= Self.suffixLength ? $0 : nil } ?? name.endIndex
    if name[..<end].count > 4, name[..<end].suffix(4).elementsEqual(".tar".utf8) { end -= 4 }
    stem = name[..<end]
    suffix = name[end...]
  }

  /// Returns the name for an attempt, from 1.
  package func attempt(_ number: Int) -> [UInt8] {
    guard number > 1 else { return Array(stem + suffix) }
    let end = Array("-\(number)".utf8) + suffix
    // Cuts no character in two.
    var start = stem.prefix(max(1, TransferPath.nameLength - end.count))
    if start.count < stem.count {
      while let last = start.last, last & 0xC0 == 0x80, start.count > 1 { start.removeLast() }
    }
    if start.count < stem.count, start.count > 1, let last = start.last, last & 0xC0 == 0xC0 { start.removeLast() }
    return Array(start) + end
  }
}
