import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc

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
  private func startFiles(_ shell: Verdict.Shell) -> [Verdict.ShellFile] {
    guard let home else { return [] }
    let paths: [String]
    switch shell {
    case .bash: paths = ["\(home)/.bashrc", "\(root)/etc/bash.bashrc"]
    case .zsh: paths = ["\(environment.directory("ZDOTDIR") ?? home)/.zshrc", "\(root)/etc/zsh/zshrc"]
    case .fish:
      let folder = "\(environment.directory("XDG_CONFIG_HOME") ?? "\(home)/.config")/fish"
      paths =
        ["\(folder)/config.fish"]
        + Folder.names(in: "\(folder)/conf.d", limit: 64).sorted().map { "\(folder)/conf.d/\($0)" }
    }
    return paths.map { path in
      let name = path.rest(afterBytesOf: "\(home)/").map { "~/\($0)" } ?? path
      let hasHook = hasLine(text(of: path), with: "baton shell-init \(shell)", comment: "#")
      return Verdict.ShellFile(shell, name, hasHook: hasHook)
    }
  }
}
