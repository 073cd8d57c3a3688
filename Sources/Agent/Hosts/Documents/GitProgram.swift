// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Asks git about clones. Their files may come from anyone, so git runs none of the programs that they name.
struct GitProgram {
  /// The variables of whoever asks. Only a few of them reach git.
  private let environment: ProcessEnvironment
  private let aliases: SSHAliases

  /// The maximum time of one question.
  private static let time = Duration.seconds(3)
  /// The maximum number of bytes of an answer.
  private static let outputLength = 256 * 1024

  init(environment: ProcessEnvironment = .current) {
    self.environment = environment
    aliases = SSHAliases(environment: environment)
  }

  /// Returns the root of the clone that a directory is in, and the commit that is checked out. Nil outside of clones,
  /// and if git refuses the clone because another user owns it.
  func root(containing directory: String) -> (path: String, commit: String?)? {
    // Without a commit, the last line is "HEAD", and git fails.
    guard let output = run(directory, ["rev-parse", "--show-toplevel", "HEAD"]),
      let lines = String(validating: output, as: UTF8.self)?.start(beforeBytesOf: "\n"),
      let end = lines.unicodeScalars.lastIndex(of: "\n")
    else { return nil }
    let commit = String(lines.rest(after: end))
    let path = String(lines[..<end])
    return path.starts(withBytesOf: "/") ? (path, ObjectName.isValid(commit) ? commit : nil) : nil
  }

  /// Returns the repositories that a clone fetches from.
  func repositories(of root: String) -> [RepositoryName] {
    let configuration = run(root, ["config", "--null", "--get-regexp", RemoteURLs.pattern]) ?? []
    return RemoteURLs.names(configuration: configuration, destination: aliases.destination)
  }

  /// Options and variables that keep git from running programs, waiting for somebody, or writing.
  private static let options = [
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
    "--no-pager", "--no-optional-locks", "--no-replace-objects",
  ]

  private var gitEnvironment: [String] {
    let kept = ["HOME", "PATH", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]
    return ["LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1"]
      + kept.compactMap { name in environment.values[name].map { "\(name)=\($0)" } }
  }

  private func run(_ directory: String, _ arguments: [String]) -> [UInt8]? {
    guard let program = ProgramPath.find("git", environment) else { return nil }
    let words = [program, "-C", directory] + Self.options + arguments
    let options = ChildProgram.Options(environment: gitEnvironment)
    let result = try? BlockingProgram.run(words, options, limit: Self.outputLength, time: Self.time)
    return result?.status == nil ? nil : result?.output
  }
}
