// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import Hosts

extension ProgramFindings {
  var shell: Diagnose.Reply? {
    let calling = running.name(of: caller).flatMap(Verdict.Shell.init)
    // The hook of each shell writes into a file of its own, and one host reads them all.
    let folder = environment.directory("XDG_RUNTIME_DIR") ?? "\(root)/run/user/\(getuid())"
    let file = "\(folder)/baton-shells/\(running.shell(of: caller))"
    let report = RegularFile(file, length: ShellReport.length + 1, followsLinks: false)
    return Verdict.shell(
      calling,
      hasHost: running.hasHost("shell-host") && report != nil,
      isReadable: report.map { ShellReport($0.bytes) != nil } ?? true,
      canWatch: Self.canWatch,
      files: Verdict.Shell.allCases.flatMap(startFiles)
    )
  }

  /// Whether the user may watch another folder (inotify(7)). The limit counts all their programs.
  private static var canWatch: Bool {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// The files in which people put the hook, by what the shell reads in every terminal.
  func startFiles(_ shell: Verdict.Shell) -> [Verdict.ShellFile] {
    startPaths(shell).map { path in
      let text = ShellScript(text(of: path)).reached
      let hasHook = hasLine(text, with: "baton shell-init \(shell)", comment: "#")
      return Verdict.ShellFile(shell, display(path), hasHook: hasHook)
    }
  }

  /// The paths of these files; the first is the user's own.
  func startPaths(_ shell: Verdict.Shell) -> [String] {
    guard let home else { return [] }
    switch shell {
    case .bash: return ["\(home)/.bashrc", "\(root)/etc/bash.bashrc"]
    case .zsh: return ["\(zshFolder ?? home)/.zshrc", "\(root)/etc/zsh/zshrc"]
    case .fish:
      let folder = "\(environment.directory("XDG_CONFIG_HOME") ?? "\(home)/.config")/fish"
      return ["\(folder)/config.fish"]
        + Folder.names(in: "\(folder)/conf.d", limit: 64).sorted().map { "\(folder)/conf.d/\($0)" }
    }
  }

  /// Where zsh looks for its files. People set that in `~/.zshenv`, often without exporting it, so only zsh knows.
  private var zshFolder: String? {
    if let folder = environment.directory("ZDOTDIR") { return folder }
    guard let zsh = program(["zsh"]) else { return nil }
    let options = ChildProgram.Options(environment: environment.list)
    // `~/.zshenv` may print something, too.
    let words = [zsh, "-c", #"print -rn -- $'\0'"$ZDOTDIR""#]
    let result = try? BlockingProgram.run(words, options, limit: 64 * 1024, time: .seconds(2))
    let folder =
      result?.output.split(separator: 0, omittingEmptySubsequences: false).dropFirst().last.map {
        String(decoding: $0, as: UTF8.self)
      } ?? ""
    return folder.starts(withBytesOf: "/") ? folder : nil
  }

  /// A path for people: `~/.bashrc`.
  func display(_ path: String) -> String {
    home.flatMap { path.rest(afterBytesOf: "\($0)/") }.map { "~/\($0)" } ?? path
  }
}
