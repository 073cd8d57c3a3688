// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Localization

/// Browsers, editors, players and the desktop on this machine: what is connected, and what is missing.
struct SetupPrograms {
  private let dialogue: SetupDialogue
  private let programs: ProgramFindings

  init(_ dialogue: SetupDialogue, _ programs: ProgramFindings = ProgramFindings()) {
    self.dialogue = dialogue
    self.programs = programs
  }

  func run(_ report: inout SetupReport) throws {
    try install(&report)
    let findings =
      programs.browsers.map(Verdict.browser) + programs.editors.map(Verdict.editor)
      + programs.players.map(Verdict.player)
      + [NotificationFinding.finding(), programs.clipboard].compactMap(\.self)
    for finding in findings { try report.add(finding) }
    if programs.browsers.isEmpty, programs.environment["WAYLAND_DISPLAY"] == nil, programs.environment["DISPLAY"] == nil
    {
      let detail = localized("This machine has no desktop. You can still continue directories, terminals and files.")
      try report.add(.init(.application, .note, detail))
    }
  }

  /// Offers to install what connects the programs that are here.
  private func install(_ report: inout SetupReport) throws {
    let missing = programs.missingPackages
    guard !missing.isEmpty else { return }
    let names = missing.map(\.rawValue).joined(separator: " ")
    guard let command = PackageSource.command(for: missing, programs.environment) else {
      return try report.add(
        .init(
          .application,
          .skipped,
          localized("These packages would connect programs on this machine: \(names)"),
          advice: localized(
            "Download them from the same place as the package baton, and run `baton setup` again in that folder."
          )
        )
      )
    }
    let needsSudo = geteuid() != 0
    let words = (needsSudo ? ["sudo"] : []) + command
    func skip(_ advice: String) throws {
      let detail = localized("These packages would connect programs on this machine: \(names)")
      try report.add(.init(.application, .skipped, detail, advice: advice))
    }
    guard let program = programs.environment.program(words[0]) else {
      return try skip(localized("Run `\(command.joined(separator: " "))` as root."))
    }
    let line = words.joined(separator: " ")
    let reasons = missing.map { "  \($0.rawValue): \(programs.reason(for: $0))" }.joined(separator: "\n")
    guard dialogue.canAsk,
      try dialogue.confirm(localized("Some programs here aren't connected yet:\n\(reasons)\nRun `\(line)`?"))
    else { return try skip(localized("Run `\(line)`.")) }
    let status = try? ForegroundProgram.run([program] + words.dropFirst())
    guard status == 0 else {
      let detail = localized("Installing \(names) failed.")
      return try report.add(.init(.application, .note, detail, advice: localized("To try again, run `\(line)`.")))
    }
    let restart = missing.map { programs.reason(for: $0) }.joined(separator: ", ")
    try report.add(
      .init(
        .application,
        .passed,
        localized("Installed \(names)."),
        advice: localized("To finish, restart \(restart).")
      ),
      isChange: true
    )
  }
}
