// SPDX-License-Identifier: Apache-2.0

/// The part of a file's name that shows its type: `.txt`, `.tar.gz`. A number for a second file goes before it.
package enum NameSuffix {
  /// The maximum length in bytes. Anything longer is not a suffix.
  private static let length = 20

  /// Returns where the suffix begins, with its dot. The end of the name if there is none, as in `J. Smith` and
  /// `Report 1.10`.
  package static func start(in name: [UInt8]) -> Int {
    // A dot at the start hides the file.
    guard let dot = name.dropFirst().lastIndex(of: UInt8(ascii: ".")), isSuffix(name[dot...], after: name[..<dot].last)
    else { return name.endIndex }
    let stem = name[..<dot]
    return stem.count > 4 && stem.suffix(4).elementsEqual(".tar".utf8) ? stem.dropLast(4).endIndex : dot
  }

  private static func isSuffix(_ text: ArraySlice<UInt8>, after last: UInt8?) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isVersion = last.map(digits.contains) == true && text.dropFirst().allSatisfy(digits.contains)
    return text.count <= length && !text.contains(UInt8(ascii: " ")) && !isVersion
  }
}
