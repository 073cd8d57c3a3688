/// What a shell's hook writes at each prompt: the directory, the directories that are never told, and the last command.
/// Each is followed by a NUL.
package struct ShellReport: Equatable, Sendable {
  package let directory: String
  /// Absolute paths: nothing in these directories leaves the machine.
  package let exclusions: [String]
  /// The last command that may be sent. Nil if there is no new one.
  package let command: String?

  /// The maximum length in bytes: two paths, a list of directories and a command.
  package static let length = 32 * 1024

  package init(directory: String, exclusions: [String] = [], command: String? = nil) {
    self.directory = directory
    self.exclusions = exclusions
    self.command = command
  }

  /// Nil if the shell has not written everything yet, if the directory is not an absolute path in UTF-8, or if the list
  /// of exclusions cannot be read.
  ///
  /// - Parameter home: The user's home directory, for `~` in the list.
  package init?(_ bytes: [UInt8], home: String?) {
    guard var parts = Self.parts(of: bytes) else { return nil }
    if bytes.count > Self.length {
      // It is too long to be sent, and was cut off.
      parts.command = []
    } else {
      guard parts.command.popLast() == 0, !parts.command.contains(0) else { return nil }
    }
    // A list of exclusions that cannot be read must not be taken for an empty one.
    guard let directory = String(validating: parts.directory, as: UTF8.self),
      directory.utf8.first == UInt8(ascii: "/"), let exclusions = Self.exclusions(bytes, home: home)
    else { return nil }
    let command = String(validating: parts.command, as: UTF8.self).flatMap(CommandText.sendable)
    self.init(directory: directory, exclusions: exclusions, command: command)
  }

  /// The exclusions alone. They count also if the directory is no text. Nil if they cannot be read.
  package static func exclusions(_ bytes: [UInt8], home: String?) -> [String]? {
    guard let list = parts(of: bytes).flatMap({ String(validating: $0.list, as: UTF8.self) }) else { return nil }
    return DirectoryExclusion.paths(list, home: home)
  }

  /// The parts, the command with its end. Nil if the shell has not written that much yet.
  private static func parts(
    of bytes: [UInt8]
  ) -> (directory: ArraySlice<UInt8>, list: ArraySlice<UInt8>, command: ArraySlice<UInt8>)? {
    var rest = bytes.prefix(length)
    guard let directory = takeField(of: &rest), let list = takeField(of: &rest) else { return nil }
    return (directory, list, rest)
  }

  /// Takes what is before the first NUL. Nil if there is none.
  private static func takeField(of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    let field = rest.prefix(upTo: end)
    rest = rest.dropFirst(field.count).dropFirst()
    return field
  }
}
