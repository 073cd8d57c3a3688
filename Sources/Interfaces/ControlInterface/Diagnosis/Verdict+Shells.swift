// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// A shell that Baton has a hook for.
  package enum Shell: String, CaseIterable, CustomStringConvertible, Sendable {
    case bash, zsh, fish

    package var description: String { rawValue }

    /// The line that loads the hook.
    package var line: String {
      self == .fish ? "baton shell-init fish | source" : "eval \"$(baton shell-init \(self))\""
    }
  }

  /// A file that a shell reads when it starts.
  package struct ShellFile: Equatable, Sendable {
    package let shell: Shell
    /// For people: `~/.bashrc`.
    package let name: String
    package let hasHook: Bool

    package init(_ shell: Shell, _ name: String, hasHook: Bool) {
      self.shell = shell
      self.name = name
      self.hasHook = hasHook
    }
  }

  /// - Parameters:
  ///   - calling: The shell that runs the doctor. Nil if another program does.
  ///   - hasHost: Whether the hook has started Baton for that shell.
  ///   - isReadable: Whether Baton can read what the hook has written.
  ///   - canWatch: Whether the user may watch another folder.
  ///   - files: The files of all shells. A shell can have several; the first is the one to change.
  /// - Returns: Nil if there is nothing to say.
  package static func shell(
    _ calling: Shell?,
    hasHost: Bool,
    isReadable: Bool = true,
    canWatch: Bool = true,
    files: [ShellFile]
  ) -> Finding? {
    guard let calling else {
      let names = files.filter(\.hasHook).map(\.name)
      return names.isEmpty ? nil : Finding(.shell, .passed, localized("The shell hook is in \(list(names))."))
    }
    guard isReadable else {
      return Finding(
        .shell,
        .note,
        localized(
          "This \(calling) doesn't offer anything, because BATON_EXCLUDE or the directory's name can't be read."
        ),
        advice: localized("In BATON_EXCLUDE, start each directory with / or ~/, and separate them with colons.")
      )
    }
    if hasHost { return Finding(.shell, .passed, localized("This \(calling) is connected to Baton.")) }
    let files = files.filter { $0.shell == calling }
    if let file = files.first(where: \.hasHook) {
      guard canWatch else {
        return Finding(
          .shell,
          .note,
          localized(
            "The hook is in \(file.name), but you've reached the kernel's inotify limit, so Baton can't watch its folder."
          ),
          advice: localized("Raise it (`sudo sysctl fs.inotify.max_user_instances=1024`), and open a new terminal.")
        )
      }
      return Finding(
        .shell,
        .note,
        localized("The hook is in \(file.name), but this \(calling) isn't connected to Baton."),
        advice: localized("Open a new terminal. If that doesn't help, run `\(calling.line)` and check its output.")
      )
    }
    let file = files.first?.name ?? localized("its startup file")
    return Finding(
      .shell,
      .skipped,
      localized("This \(calling) doesn't have Baton's hook."),
      advice: localized("To hand off your working directory, add this line to \(file): \(calling.line)")
    )
  }
}
