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
    guard bytes.count <= Self.length, bytes.last == 0 else { return nil }
    let fields = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
      String(validating: $0, as: UTF8.self)
    }
    // A list of exclusions that cannot be read must not be taken for an empty one.
    guard fields.count == 3, let directory = fields[0], directory.utf8.first == UInt8(ascii: "/"),
      let exclusions = fields[1].flatMap({ DirectoryExclusion.paths($0, home: home) })
    else { return nil }
    // Checked: there are three.
    self.init(directory: directory, exclusions: exclusions, command: fields[2].flatMap(CommandText.sendable))
  }
}
