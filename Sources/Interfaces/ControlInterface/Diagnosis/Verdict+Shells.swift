extension Verdict {
  /// A shell that Baton has a hook for.
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

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
      return names.isEmpty ? nil : Finding(.shell, .passed, "The shell's hook is in \(list(names)).")
    }
    guard isReadable else {
      return Finding(
        .shell,
        .note,
        "This \(calling) offers nothing: BATON_EXCLUDE, or the name of the directory, cannot be read.",
        advice: "In BATON_EXCLUDE, begin each directory with / or ~/, and separate them by colons."
      )
    }
    if hasHost { return Finding(.shell, .passed, "This \(calling) is connected to Baton.") }
    let files = files.filter { $0.shell == calling }
    if let file = files.first(where: \.hasHook) {
      guard canWatch else {
        return Finding(
          .shell,
          .note,
          "The hook is in \(file.name), but your programs watch as many folders as the kernel allows, and Baton needs one more.",
          advice: "Allow more (`sudo sysctl fs.inotify.max_user_instances=1024`), and open a new terminal."
        )
      }
      return Finding(
        .shell,
        .note,
        "The hook is in \(file.name), but this \(calling) is not connected to Baton.",
        advice: "Open a new terminal. If that does not help, run `\(calling.line)` and see what it says."
      )
    }
    let file = files.first?.name ?? "the file that it reads when it starts"
    return Finding(
      .shell,
      .skipped,
      "This \(calling) does not have Baton's hook.",
      advice: "To hand over the directory that you work in, add this line to \(file): \(calling.line)"
    )
  }
}
