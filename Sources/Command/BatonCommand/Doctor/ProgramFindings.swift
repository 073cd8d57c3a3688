// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc

/// What the doctor finds out about the programs with which this user works: browsers, editors, the shell and the
/// desktop's clipboard. Programs that are not installed are not mentioned.
struct ProgramFindings {
  var environment = ProcessEnvironment.current
  var running = RunningPrograms.ofThisUser()
  /// The process that started this one.
  var caller = getppid()
  /// Where this program is installed.
  var prefix = ProgramFile.prefix
  /// The beginning of the paths of installed files. Tests have their own.
  var root = ""

  var all: [Diagnose.Reply] {
    let packages = packageManager
    return browsers.map { Verdict.browser($0, packages) } + [shell].compactMap(\.self)
      + editors.map { Verdict.editor($0, packages) } + [clipboard].compactMap(\.self)
  }

  var home: String? { environment.directory("HOME") }

  /// The path of an installed program. Without `PATH`, nothing is known.
  func program(_ names: [String]) -> String? {
    environment["PATH"] == nil ? nil : names.lazy.compactMap { environment.program($0) }.first
  }

  /// The installed files with one of these paths. `~` begins the home folder's, and `*` stands for any name.
  func files(_ patterns: [String]) -> [String] {
    patterns.flatMap { pattern in
      guard let rest = pattern.rest(afterBytesOf: "~") else { return Self.matches(Self.literally(root) + pattern) }
      return home.map { Self.matches(Self.literally($0) + rest) } ?? []
    }
  }

  /// What installs packages on this machine. A Debian can have others' programs for that, and others can have apt.
  var packageManager: PackageManager? {
    if access("\(root)/etc/debian_version", F_OK) == 0 { return .apt }
    return [PackageManager.rpmOstree, .dnf, .zypper, .pacman, .apt].first { program([$0.rawValue]) != nil }
  }

  /// Whether the file is installed, below one of the prefixes of packages or the one of this program.
  func isInstalled(_ file: String) -> Bool {
    let prefixes = ["/usr", "/usr/local"] + [prefix].compactMap(\.self)
    return prefixes.contains { access("\(root)\($0)/\(file)", X_OK) == 0 }
  }

  /// The text of a file that a person writes. Without the file, it is empty.
  func text(of path: String) -> String {
    RegularFile(path, length: 1 << 20).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  }

  /// Whether a line that is not a comment contains the words. What else the file does with it, nobody can say who does
  /// not run it.
  func hasLine(_ text: String, with words: String, comment: Unicode.Scalar) -> Bool {
    text.splitScalars(where: VisibleText.endsLine).contains { line in
      line.trimmed.unicodeScalars.first != comment && line.containsBytes(of: words)
    }
  }

  private static func literally(_ path: String) -> String {
    String(
      String.UnicodeScalarView(
        path.unicodeScalars.flatMap { "*?[]\\".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }
      )
    )
  }

  private static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
