/// A name of a file or a folder, and the names to try if it is taken: `notes.txt`, `notes-2.txt`, `notes-3.txt`. What
/// follows a dot in the name of a folder is no suffix: `Ubuntu 22.04`, `Ubuntu 22.04-2`.
package struct FileName: Equatable, Sendable {
  private let stem: ArraySlice<UInt8>
  /// With its dot. Empty if there is none.
  private let suffix: ArraySlice<UInt8>

  /// The maximum length of a suffix in bytes. What is longer is no suffix.
  private static let suffixLength = 20

  package init(_ name: [UInt8], isFolder: Bool) {
    // A dot at the start hides the file.
    let dot = isFolder ? nil : name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    var end = dot.flatMap { Self.isSuffix(name[$0...], after: name[$0 - 1]) ? $0 : nil } ?? name.endIndex
    if name[..<end].count > 4, name[..<end].suffix(4).elementsEqual(".tar".utf8) { end -= 4 }
    stem = name[..<end]
    suffix = name[end...]
  }

  /// Whether what follows a dot says what the file is. In `J. Smith` and `Report 1.10`, it does not.
  private static func isSuffix(_ text: ArraySlice<UInt8>, after last: UInt8) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.count <= suffixLength && !text.contains(UInt8(ascii: " "))
      && !(digits.contains(last) && text.dropFirst().allSatisfy(digits.contains))
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
