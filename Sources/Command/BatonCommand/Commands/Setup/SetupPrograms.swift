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
    let packages = programs.packageManager
    let findings =
      programs.browsers.map { Verdict.browser($0, packages) } + programs.editors.map { Verdict.editor($0, packages) }
      + programs.players.map { Verdict.player($0, packages) }
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
    let found = programs.missingPackages.map { ($0, source: PackageSource.source(of: $0, programs.environment)) }
    func names(_ packages: [ConnectingPackage]) -> String { packages.map(\.rawValue).joined(separator: " ") }
    func skip(_ packages: [ConnectingPackage], _ advice: String) throws {
      let detail = localized("These packages would connect programs on this machine: \(names(packages))")
      try report.add(.init(.application, .skipped, detail, advice: advice))
    }
    let unknown = found.filter { $0.source == nil }.map(\.0)
    if !unknown.isEmpty {
      try skip(
        unknown,
        localized(
          "Download them from the same place as the package baton, and run `baton setup` again in that folder."
        )
      )
    }
    let missing = found.filter { $0.source != nil }.map(\.0)
    guard !missing.isEmpty else { return }
    let command = ["apt", "install"] + found.compactMap(\.source)
    let words = (geteuid() == 0 ? [] : ["sudo"]) + command
    guard let program = programs.environment.program(words[0]) else {
      return try skip(missing, localized("Run `\(command.joined(separator: " "))` as root."))
    }
    let line = words.joined(separator: " ")
    let reasons = missing.map { "  \($0.rawValue): \(programs.reason(for: $0))" }.joined(separator: "\n")
    guard dialogue.canAsk,
      try dialogue.confirm(localized("Some programs here aren't connected yet:\n\(reasons)\nRun `\(line)`?"))
    else { return try skip(missing, localized("Run `\(line)`.")) }
    let status = try? ForegroundProgram.run([program] + words.dropFirst())
    guard status == 0 else {
      let detail = localized("Installing \(names(missing)) failed.")
      return try report.add(.init(.application, .note, detail, advice: localized("To try again, run `\(line)`.")))
    }
    let restart = missing.map { programs.reason(for: $0) }.joined(separator: ", ")
    try report.add(
      .init(
        .application,
        .passed,
        localized("Installed \(names(missing))."),
        advice: localized("To finish, restart \(restart).")
      ),
      isChange: true
    )
  }
}
