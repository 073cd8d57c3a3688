// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a shell's hook writes at each prompt: the directory, the directories that are never told, some variables, and
/// the last command.
///
/// zsh and fish write fields that end with a NUL. Bash writes what it can without a command (`ShellHook+Bash.swift`):
/// an error message.
package struct ShellReport: Equatable, Sendable {
  package let directory: String
  /// Absolute paths: nothing in these directories leaves the machine.
  package let exclusions: [String]
  /// The variables that decide what programs say about the directory. One host serves all shells, and they differ.
  package let environment: [String: String]
  /// The last command that may be sent. Nil if there is no new one.
  package let command: String?

  /// The names in ``environment``.
  package static let variables = [
    "HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
  ]
  /// The maximum length in bytes: two paths, a list of directories, variables and a command.
  package static let length = 32 * 1024

  package init(
    directory: String,
    exclusions: [String] = [],
    environment: [String: String] = [:],
    command: String? = nil
  ) {
    self.directory = directory
    self.exclusions = exclusions
    self.environment = environment
    self.command = command
  }

  /// Nil if the shell has not written everything yet, if the directory is not an absolute path in UTF-8, or if the list
  /// of exclusions cannot be read.
  package init?(_ bytes: [UInt8]) {
    // A list of exclusions that cannot be read must not be taken for an empty one.
    guard let fields = ShellFields(bytes), let directory = String(validating: fields.directory, as: UTF8.self),
      directory.utf8.first == UInt8(ascii: "/"), let exclusions = Self.exclusions(fields)
    else { return nil }
    let command = String(validating: fields.command, as: UTF8.self).flatMap(CommandText.sendable)
    self.init(
      directory: directory,
      exclusions: exclusions,
      environment: Self.environment(fields.variables),
      command: command
    )
  }

  /// The exclusions alone. They count also if the directory is no text. Nil if they cannot be read.
  package static func exclusions(_ bytes: [UInt8]) -> [String]? { ShellFields(bytes).flatMap(exclusions) }

  private static func exclusions(_ fields: ShellFields) -> [String]? {
    guard let list = String(validating: fields.exclusions, as: UTF8.self) else { return nil }
    return DirectoryExclusion.paths(list, home: environment(fields.variables)["HOME"])
  }

  private static func environment(_ variables: [ArraySlice<UInt8>]) -> [String: String] {
    var environment: [String: String] = [:]
    for variable in variables {
      guard let sign = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: variable[..<sign], as: UTF8.self)
      guard Self.variables.contains(name) else { continue }
      environment[name] = String(validating: variable[sign...].dropFirst(), as: UTF8.self)
    }
    return environment
  }
}
