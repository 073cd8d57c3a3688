// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Localization

/// The shell's hook, which offers the working directory and lets `baton continue` change it.
struct SetupShell {
  private let dialogue: SetupDialogue
  private let programs: ProgramFindings

  init(_ dialogue: SetupDialogue, _ programs: ProgramFindings = ProgramFindings()) {
    self.dialogue = dialogue
    self.programs = programs
  }

  /// Adds the hook to the shell that the person uses: the one that runs this program, and the one that terminals start.
  func run(_ report: inout SetupReport) throws {
    let calling = programs.running.name(of: programs.caller).flatMap(Verdict.Shell.init)
    let login = programs.environment["SHELL"].flatMap { $0.split(atScalar: "/").last }.flatMap {
      Verdict.Shell(rawValue: String($0))
    }
    let shells = Verdict.Shell.allCases.filter { [calling, login].contains($0) }
    guard !shells.isEmpty else {
      return try report.add(
        .init(.shell, .note, localized("Baton has hooks for Bash, zsh and fish, but you don't use any of them."))
      )
    }
    if let missingHome { return try report.add(missingHome) }
    for shell in shells { try add(shell, &report) }
  }

  /// What to say if there is no place for startup files.
  private var missingHome: Diagnose.Reply? {
    if let home = programs.home, LocalDocuments.isDirectory(home) { return nil }
    return .init(
      .shell,
      .skipped,
      localized("Your home directory doesn't exist, so there are no startup files."),
      advice: localized("Set HOME to your home directory, and try again.")
    )
  }

  private func add(_ shell: Verdict.Shell, _ report: inout SetupReport) throws {
    guard let path = programs.startPaths(shell).first else { return }
    let name = programs.display(path)
    func skipped(_ detail: String) -> Diagnose.Reply {
      .init(.shell, .skipped, detail, advice: localized("Add this line at the end of \(name): \(shell.line)"))
    }
    /// What to say if there is nothing to add, or no way to do so.
    func finding() -> Diagnose.Reply? {
      if let present = programs.startFiles(shell).first(where: \.hasHook) {
        return .init(.shell, .passed, localized("The \(shell.rawValue) hook is in \(present.name)."))
      }
      guard StartupFile(path: path).bytes != nil else { return skipped(localized("Can't read \(name).")) }
      guard let (number, line) = ShellScript(programs.text(of: path)).lastLine else { return nil }
      return .init(
        .shell,
        .skipped,
        localized("Line \(number) (`\(Printable.text(line))`) ends \(name), so a hook below it would have no effect."),
        advice: localized("Add this line above it: \(shell.line)")
      )
    }
    if let finding = finding() { return try report.add(finding) }
    let question = localized(
      "Add the hook to \(name)? It offers the directory you're working in, and lets `baton continue` change directory."
    )
    guard try dialogue.allows(question) else {
      return try report.add(skipped(localized("The \(shell.rawValue) hook isn't in \(name).")))
    }
    // The person, or a setup in another terminal, may have changed the file before the answer.
    if let finding = finding() { return try report.add(finding) }
    do throws(SystemError) {
      let file = StartupFile(path: path)
      try file.append(StartupText(file.bytes ?? [], hook: shell.guardedLine).addition)
    } catch {
      return try report.add(skipped(localized("Can't write to \(error).")))
    }
    let finding = Diagnose.Reply(
      .shell,
      .passed,
      localized("Added the \(shell.rawValue) hook to \(name)."),
      advice: localized("Open a new terminal to use it. To remove it, run `baton setup --undo`.")
    )
    try report.add(finding, isChange: true)
  }

  /// Takes out what `run` has added, for all shells.
  func undo(_ report: inout SetupReport) throws {
    if let missingHome { return try report.add(missingHome) }
    var isEmpty = true
    for shell in Verdict.Shell.allCases {
      guard let path = programs.startPaths(shell).first else { continue }
      let name = programs.display(path)
      guard let bytes = StartupFile(path: path).bytes else {
        try report.add(.init(.shell, .note, localized("Can't read \(name).")))
        isEmpty = false
        continue
      }
      var text = StartupText(bytes, hook: shell.guardedLine)
      let removal = text.remove()
      isEmpty = isEmpty && removal == .nothing
      switch removal {
      case .nothing: break
      case .changed:
        let detail = localized("The lines that `baton setup` added to \(name) have been changed since.")
        try report.add(.init(.shell, .note, detail, advice: localized("Remove them with an editor.")))
      case .removed:
        do throws(SystemError) {
          try StartupFile(path: path).replace(bytes, with: text.bytes)
        } catch {
          let detail = localized("Can't write to \(error).")
          try report.add(.init(.shell, .failed, detail, reason: .storageFailed))
          continue
        }
        try report.add(.init(.shell, .passed, localized("Removed the hook from \(name).")), isChange: true)
      }
    }
    if isEmpty {
      try report.add(.init(.shell, .passed, localized("`baton setup` hasn't added a hook to any startup file.")))
    }
    dialogue.output.note(
      localized(
        "Teams and packages stay. To leave a team, run `baton team leave`; to uninstall, `sudo apt purge 'baton*'`."
      )
    )
  }
}

extension Verdict.Shell {
  /// The line for a startup file that outlives the package.
  fileprivate var guardedLine: String {
    switch self {
    case .bash, .zsh: "command -v baton >/dev/null && \(line)"
    case .fish: "command -q baton; and \(line)"
    }
  }
}
