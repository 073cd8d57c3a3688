// SPDX-License-Identifier: Apache-2.0

/// The fields of a ``ShellReport``, as bytes.
struct ShellFields {
  let directory: ArraySlice<UInt8>
  /// Paths with colons between them.
  let exclusions: [UInt8]
  /// `NAME=value`. Those that are not set may be missing, or empty.
  let variables: [ArraySlice<UInt8>]
  let command: ArraySlice<UInt8>

  /// Ends the elements of an array of Bash.
  private static let end: UInt8 = 2
  /// Separates the variables, and the fields of Bash.
  private static let mark: UInt8 = 1

  /// Nil if the shell has not written everything yet.
  init?(_ bytes: [UInt8]) {
    // No message contains a NUL.
    if bytes.contains(0) { self.init(fields: bytes) } else { self.init(message: bytes) }
  }

  /// `DIRECTORY NUL EXCLUSIONS NUL VARIABLES NUL COMMAND NUL`
  private init?(fields bytes: [UInt8]) {
    let fields = bytes.prefix(ShellReport.length).split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4 else { return nil }
    var command = fields[3]
    if bytes.count > ShellReport.length {
      // It is too long to be sent, and was cut off.
      command = []
    } else {
      guard command.popLast() == 0, !command.contains(0) else { return nil }
    }
    directory = fields[0]
    exclusions = Array(fields[1])
    variables = fields[2].split(separator: Self.mark)
    self.command = command
  }

  /// `bash: /dev/null/` and the fields, with a mark before and after each; then why there is no such file.
  ///
  /// A name with a mark would be several fields, of which there would be too many.
  private init?(message bytes: [UInt8]) {
    let names = ShellReport.variables.count
    guard bytes.count <= ShellReport.length, bytes.last == UInt8(ascii: "\n"),
      let end = bytes.lastIndex(of: Self.mark)
    else { return nil }
    let fields = bytes[..<end].split(separator: Self.mark, omittingEmptySubsequences: false)
    guard fields.count == names + 5, let exclusions = Self.joined(fields[3], after: fields[2]) else { return nil }
    directory = fields[1]
    self.exclusions = exclusions
    variables = Array(fields[4..<(4 + names)])
    command = fields[4 + names]
  }

  /// Joins the elements of an array, as Bash wrote them: with an end after each, and before each but the first, the
  /// first character of `IFS`.
  private static func joined(_ text: ArraySlice<UInt8>, after separators: ArraySlice<UInt8>) -> [UInt8]? {
    let separator = String(decoding: separators, as: UTF8.self).unicodeScalars.prefix(1).flatMap { Array("\($0)".utf8) }
    var elements = text.split(separator: end, omittingEmptySubsequences: false)
    // What has no end is not whole.
    guard elements.popLast()?.isEmpty == true else { return nil }
    for index in elements.indices.dropFirst() {
      guard elements[index].starts(with: separator) else { return nil }
      elements[index] = elements[index].dropFirst(separator.count)
    }
    return Array(elements.joined(separator: [UInt8(ascii: ":")]))
  }
}
