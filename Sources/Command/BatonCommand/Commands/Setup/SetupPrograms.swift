// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
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
    let line = command.joined(separator: " ")
    let reasons = missing.map { "  \($0.rawValue): \(programs.reason(for: $0))" }.joined(separator: "\n")
    guard dialogue.canAsk,
      try dialogue.confirm(localized("Some programs here aren't connected yet:\n\(reasons)\nRun `\(line)`?"))
    else {
      let detail = localized("These packages would connect programs on this machine: \(names)")
      return try report.add(.init(.application, .skipped, detail, advice: localized("Run `\(line)`.")))
    }
    let program = programs.environment.program(command[0]) ?? command[0]
    let status = try? ForegroundProgram.run([program] + command.dropFirst())
    guard status == 0 else {
      let detail = localized("Installing \(names) failed.")
      return try report.add(.init(.application, .note, detail, advice: localized("To try again, run `\(line)`.")))
    }
    try report.add(
      .init(.application, .passed, localized("Installed \(names). Restart your browser and editors.")),
      isChange: true
    )
  }
}
